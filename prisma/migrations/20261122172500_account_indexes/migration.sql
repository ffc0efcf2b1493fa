-- CreateIndex
CREATE INDEX "accounts_administrators_idx" ON "accounts"("id") WHERE (is_admin);

-- DropIndex
DROP INDEX "accounts_deletion_due_at_idx";

-- CreateIndex
CREATE INDEX "accounts_deletion_due_at_idx" ON "accounts"("deletion_due_at") WHERE (deletion_due_at IS NOT NULL);

-- DropIndex
DROP INDEX "audit_events_subject_idx";

-- Erasure looks up the events of an identifier that belong to no account.
-- CreateIndex
CREATE INDEX "audit_events_subject_idx" ON "audit_events"("subject") WHERE (account_id IS NULL AND actor_id IS NULL);
