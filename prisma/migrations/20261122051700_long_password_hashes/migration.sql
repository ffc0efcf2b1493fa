-- AlterTable
ALTER TABLE "accounts" ALTER COLUMN "password_hash" SET DATA TYPE VARCHAR(100);
