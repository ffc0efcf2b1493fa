-- Finds the sessions of an account that were created from a network, without reading all its sessions.
CREATE INDEX "sessions_account_id_network_idx" ON "sessions" ("account_id", (("address")::inet), "created_at");
