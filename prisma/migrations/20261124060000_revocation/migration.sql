-- AlterTable
ALTER TABLE "accounts" ADD COLUMN     "phone_changed_at" TIMESTAMPTZ(3);

-- Numbers that are in their waiting period
UPDATE "accounts" SET "phone_changed_at" = "phone_verified_at" WHERE "phone_recovers_from" > now();

-- AlterTable
ALTER TABLE "idempotency_keys" ADD COLUMN     "account_id" INTEGER;

-- CreateIndex
CREATE INDEX "idempotency_keys_account_id_idx" ON "idempotency_keys"("account_id") WHERE (account_id IS NOT NULL);

-- CreateIndex
CREATE INDEX "idempotency_keys_session_id_idx" ON "idempotency_keys"("session_id") WHERE (session_id IS NOT NULL);
