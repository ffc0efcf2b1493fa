-- Why an account is suspended, and since when.
ALTER TABLE "accounts" ADD COLUMN "suspended_at" TIMESTAMPTZ(3),
ADD COLUMN "suspension_reason" VARCHAR(500);
ALTER TABLE "lawyer_profiles" ADD COLUMN "review_reason" VARCHAR(500);

-- Who did it to the account of another, and why.
ALTER TABLE "audit_events" ADD COLUMN "actor_id" INTEGER,
ADD COLUMN "reason" VARCHAR(500);

-- The lists of the administration are filtered by these, the newest first.
CREATE INDEX "accounts_account_type_id_idx" ON "accounts"("account_type", "id");
CREATE INDEX "accounts_status_id_idx" ON "accounts"("status", "id");
CREATE INDEX "lawyer_profiles_review_status_account_id_idx" ON "lawyer_profiles"("review_status", "account_id");
CREATE INDEX "audit_events_event_at_idx" ON "audit_events"("event", "at");
