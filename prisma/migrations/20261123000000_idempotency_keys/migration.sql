-- CreateTable
CREATE TABLE "idempotency_keys" (
    "id" VARCHAR(22) NOT NULL,
    "fingerprint" VARCHAR(22) NOT NULL,
    "claim" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "claimed_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),
    "error_code" VARCHAR(40),
    "retry_at" TIMESTAMPTZ(3),
    "session_id" UUID,
    "data" BYTEA,

    CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "idempotency_keys_created_at_idx" ON "idempotency_keys"("created_at");
