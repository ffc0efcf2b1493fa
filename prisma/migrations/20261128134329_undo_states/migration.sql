-- AlterTable
ALTER TABLE "email_tokens" ADD COLUMN     "by_link" BOOLEAN,
ADD COLUMN     "phone_verified_at" TIMESTAMPTZ(3);

