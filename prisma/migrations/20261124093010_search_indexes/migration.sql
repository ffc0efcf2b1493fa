-- outside a transaction
-- A search reads the whole list of pending entries (at most 2 MB), and a longer list takes fewer writes.
-- CreateIndex
CREATE INDEX CONCURRENTLY "accounts_search_idx" ON "accounts" USING gin (search_parts(fold_text("email") || E'\n' || "phone") COLLATE "C") WITH (gin_pending_list_limit = 2048);

-- CreateIndex
CREATE INDEX CONCURRENTLY "profiles_search_idx" ON "profiles" USING gin (search_parts(fold_text("name")) COLLATE "C") WITH (gin_pending_list_limit = 2048);

-- The following indexes lack only where the search that was in no release has dropped them.
-- CreateIndex
CREATE INDEX CONCURRENTLY IF NOT EXISTS "accounts_account_type_id_idx" ON "accounts"("account_type", "id");

-- CreateIndex
CREATE INDEX CONCURRENTLY IF NOT EXISTS "accounts_status_id_idx" ON "accounts"("status", "id");

-- CreateIndex
CREATE INDEX CONCURRENTLY IF NOT EXISTS "lawyer_profiles_review_status_account_id_idx" ON "lawyer_profiles"("review_status", "account_id");
