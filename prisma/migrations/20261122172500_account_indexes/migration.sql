-- outside a transaction
-- replaces d1ae6413dad72a76d1d4a76f71e82ba32163624783769a77b71097eb670c16ac
-- CreateIndex
CREATE INDEX CONCURRENTLY "accounts_administrators_idx" ON "accounts"("id") WHERE (is_admin);

-- DropIndex
DROP INDEX CONCURRENTLY IF EXISTS "accounts_deletion_due_at_idx";

-- CreateIndex
CREATE INDEX CONCURRENTLY "accounts_deletion_due_at_idx" ON "accounts"("deletion_due_at") WHERE (deletion_due_at IS NOT NULL);

-- DropIndex
DROP INDEX CONCURRENTLY IF EXISTS "audit_events_subject_idx";

-- Erasure looks up the events of an identifier that belong to no account.
-- CreateIndex
CREATE INDEX CONCURRENTLY "audit_events_subject_idx" ON "audit_events"("subject") WHERE (account_id IS NULL AND actor_id IS NULL);
