-- The open sessions of an account, of which there are few, and its sessions by network. Accounts can have very many ended
-- sessions. Both begin with the account, so they also replace the index of its sessions.
-- CreateIndex
CREATE INDEX "sessions_open_idx" ON "sessions"("account_id") WHERE (ended_at IS NULL);

-- CreateIndex
CREATE INDEX "sessions_networks_idx" ON "sessions"("account_id", ("address"::inet), "created_at");

-- DropIndex
DROP INDEX "sessions_account_id_idx";
