-- AlterTable
ALTER TABLE "accounts" ADD COLUMN     "email_changed_by" UUID,
ADD COLUMN     "former_email" VARCHAR(254),
ADD COLUMN     "former_email_changed_at" TIMESTAMPTZ(3),
ADD COLUMN     "former_email_recovers_from" TIMESTAMPTZ(3),
ADD COLUMN     "former_email_until" TIMESTAMPTZ(3),
ADD COLUMN     "former_email_verified_at" TIMESTAMPTZ(3),
ADD COLUMN     "pending_email_by" UUID;

-- AlterTable
ALTER TABLE "password_resets" ADD COLUMN     "email" VARCHAR(254);

-- AlterTable
ALTER TABLE "sessions" ADD COLUMN     "first_id" UUID;
