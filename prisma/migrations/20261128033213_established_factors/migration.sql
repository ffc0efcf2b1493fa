-- AlterTable
ALTER TABLE "passkeys" ADD COLUMN     "established_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "second_factors" ADD COLUMN     "codes_established_at" TIMESTAMPTZ(3),
ADD COLUMN     "totp_established_at" TIMESTAMPTZ(3),
ADD COLUMN     "totp_pending_by_factor" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "totp_pending_session_id" UUID;


-- Factors that were added before are established after the same time as new ones
UPDATE "passkeys" SET "established_at" = "created_at" + interval '7 days';
UPDATE "second_factors" f SET
    "totp_established_at" = f."totp_confirmed_at" + interval '7 days',
    "codes_established_at" = a."factors_since" + interval '7 days'
FROM "accounts" a WHERE a."id" = f."account_id";
