-- outside a transaction
-- Finds the sessions of a network, of all accounts.
-- CreateIndex
CREATE INDEX CONCURRENTLY "sessions_network_idx" ON "sessions"((address::inet), "created_at");
