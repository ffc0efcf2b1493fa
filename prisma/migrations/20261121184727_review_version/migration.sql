-- AlterTable
ALTER TABLE "lawyer_profiles" ADD COLUMN     "review_version" INTEGER NOT NULL DEFAULT 0;
