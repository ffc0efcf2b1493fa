-- AlterTable
ALTER TABLE "accounts" ADD COLUMN     "phone_changed_by" UUID;

