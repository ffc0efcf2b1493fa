-- outside a transaction
-- replaces 6b0fdbd5a55c01e0b3002a6cfaa0896754e03f3618b5c7a7a1e01dd8229afeb8
-- The open sessions of an account, of which there are few, and its sessions by network. Accounts can have very many ended
-- sessions. Both begin with the account, so they also replace the index of its sessions.
-- CreateIndex
CREATE INDEX CONCURRENTLY "sessions_open_idx" ON "sessions"("account_id") WHERE (ended_at IS NULL);

-- CreateIndex
CREATE INDEX CONCURRENTLY "sessions_networks_idx" ON "sessions"("account_id", ("address"::inet), "created_at");

-- DropIndex
DROP INDEX CONCURRENTLY IF EXISTS "sessions_account_id_idx";
