-- outside a transaction
-- replaces 60b7ff202b07b302b26f154ef55547d6ed6b1fd051742126d0cc57d9ffcfd275
-- Without a list of pending entries, which every lookup would have to read.
-- CreateIndex
CREATE INDEX CONCURRENTLY "account_search_keys_idx" ON "account_search" USING gin (search_keys("account_id", "name", "email", "phone", "account_type", "status", "review_status")) WITH (fastupdate = off);

ANALYZE "account_search";

-- Filters of the list use the index above.
-- DropIndex
DROP INDEX CONCURRENTLY IF EXISTS "accounts_account_type_id_idx";

-- DropIndex
DROP INDEX CONCURRENTLY IF EXISTS "accounts_status_id_idx";

-- DropIndex
DROP INDEX CONCURRENTLY IF EXISTS "lawyer_profiles_review_status_account_id_idx";
