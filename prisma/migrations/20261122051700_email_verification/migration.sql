-- CreateEnum
CREATE TYPE "EmailTokenPurpose" AS ENUM ('verify', 'cancel', 'undo', 'consent');

-- CreateTable
CREATE TABLE "email_tokens" (
    "token_hash" BYTEA NOT NULL,
    "account_id" INTEGER NOT NULL,
    "purpose" "EmailTokenPurpose" NOT NULL,
    "email" VARCHAR(254) NOT NULL,
    "verified_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "email_tokens_pkey" PRIMARY KEY ("token_hash")
);

-- CreateTable
CREATE TABLE "email_codes" (
    "account_id" INTEGER NOT NULL,
    "email" VARCHAR(254) NOT NULL,
    "window_id" UUID,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "wrong_tries" SMALLINT NOT NULL DEFAULT 0,
    "sent_at" TIMESTAMPTZ(3)[],
    "wrong_at" TIMESTAMPTZ(3)[],

    CONSTRAINT "email_codes_pkey" PRIMARY KEY ("account_id")
);

-- CreateIndex
CREATE INDEX "email_tokens_account_id_idx" ON "email_tokens"("account_id");

-- CreateIndex
CREATE INDEX "email_tokens_expires_at_idx" ON "email_tokens"("expires_at");

-- AddForeignKey
ALTER TABLE "email_tokens" ADD CONSTRAINT "email_tokens_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "email_codes" ADD CONSTRAINT "email_codes_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

