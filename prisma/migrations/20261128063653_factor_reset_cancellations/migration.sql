-- AlterTable
ALTER TABLE "accounts" ADD COLUMN     "factors_kept_at" TIMESTAMPTZ(3),
ADD COLUMN     "factors_reset_by_support" BOOLEAN NOT NULL DEFAULT false;

