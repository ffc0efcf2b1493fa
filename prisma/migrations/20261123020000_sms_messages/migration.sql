-- CreateEnum
CREATE TYPE "sms_state" AS ENUM ('sent', 'failed', 'delivered');

-- CreateTable
CREATE TABLE "sms_messages" (
    "id" BIGSERIAL NOT NULL,
    "provider" VARCHAR(20) NOT NULL,
    "message_key" VARCHAR(100) NOT NULL,
    "channel" VARCHAR(10),
    "calling_code" VARCHAR(7),
    "purpose" VARCHAR(20),
    "network" VARCHAR(32),
    "window_id" UUID,
    "sent_at" TIMESTAMPTZ(3),
    "state" "sms_state" NOT NULL DEFAULT 'sent',
    "state_at" TIMESTAMPTZ(3),
    "confirmed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sms_messages_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sms_circuits" (
    "provider" VARCHAR(20) NOT NULL,
    "channel" VARCHAR(10) NOT NULL,
    "calling_code" VARCHAR(7) NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL,
    "retry_at" TIMESTAMPTZ(3),

    CONSTRAINT "sms_circuits_pkey" PRIMARY KEY ("provider","channel","calling_code")
);

-- CreateIndex
CREATE INDEX "sms_messages_provider_channel_calling_code_sent_at_idx" ON "sms_messages"("provider", "channel", "calling_code", "sent_at");

-- CreateIndex
CREATE INDEX "sms_messages_provider_channel_calling_code_state_at_idx" ON "sms_messages"("provider", "channel", "calling_code", "state_at");

-- CreateIndex
CREATE INDEX "sms_messages_window_id_idx" ON "sms_messages"("window_id");

-- CreateIndex
CREATE INDEX "sms_messages_sent_at_idx" ON "sms_messages"("sent_at");

-- CreateIndex
CREATE INDEX "sms_messages_created_at_idx" ON "sms_messages"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "sms_messages_provider_message_key_key" ON "sms_messages"("provider", "message_key");

