-- CreateTable
CREATE TABLE "events" (
    "id" BIGSERIAL NOT NULL,
    "webhook_id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "type" VARCHAR(40) NOT NULL,
    "account_id" INTEGER NOT NULL,
    "data" JSONB NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "attempts" SMALLINT NOT NULL DEFAULT 0,
    "last_attempt_at" TIMESTAMPTZ(3),
    "last_failure" VARCHAR(200),
    "next_attempt_at" TIMESTAMPTZ(3),
    "delivered_at" TIMESTAMPTZ(3),

    CONSTRAINT "events_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "events_webhook_id_key" ON "events"("webhook_id");

-- CreateIndex
CREATE INDEX "events_next_attempt_at_idx" ON "events"("next_attempt_at");

-- CreateIndex
CREATE INDEX "events_account_id_id_idx" ON "events"("account_id", "id");

-- CreateIndex
CREATE INDEX "events_type_id_idx" ON "events"("type", "id");

-- CreateIndex
CREATE INDEX "events_at_idx" ON "events"("at");
