-- AlterTable
ALTER TABLE "accounts" ADD COLUMN     "email_by_link" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "factors_vouched" BOOLEAN NOT NULL DEFAULT true,
ADD COLUMN     "former_email_by_link" BOOLEAN;
