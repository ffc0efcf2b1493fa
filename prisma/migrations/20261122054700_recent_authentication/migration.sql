-- AlterTable
ALTER TABLE "sessions" ADD COLUMN     "authenticated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- Sessions that exist began with the password
UPDATE "sessions" SET "authenticated_at" = "created_at";
