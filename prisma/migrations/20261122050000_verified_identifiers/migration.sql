-- AlterTable
ALTER TABLE "accounts" ADD COLUMN     "email_changed_at" TIMESTAMPTZ(3),
ADD COLUMN     "email_recovers_from" TIMESTAMPTZ(3),
ADD COLUMN     "email_verified_at" TIMESTAMPTZ(3),
ADD COLUMN     "pending_email" VARCHAR(254),
ADD COLUMN     "phone_recovers_from" TIMESTAMPTZ(3),
ADD COLUMN     "phone_verified_at" TIMESTAMPTZ(3);

-- Numbers that were verified when they were stored
UPDATE "accounts" SET "phone_verified_at" = "created_at", "phone_recovers_from" = "created_at" WHERE "phone_verified";
