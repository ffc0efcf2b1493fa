-- AlterTable
ALTER TABLE "accounts" ADD COLUMN     "factors_since" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "second_factors" (
    "account_id" INTEGER NOT NULL,
    "totp_secret" BYTEA,
    "totp_confirmed_at" TIMESTAMPTZ(3),
    "totp_last_step" INTEGER NOT NULL DEFAULT 0,
    "totp_pending" BYTEA,
    "recovery_codes" BYTEA[],

    CONSTRAINT "second_factors_pkey" PRIMARY KEY ("account_id")
);

-- AddForeignKey
ALTER TABLE "second_factors" ADD CONSTRAINT "second_factors_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

