-- outside a transaction
-- CreateIndex
CREATE INDEX CONCURRENTLY "accounts_factors_reset_at_idx" ON "accounts"("factors_reset_at") WHERE (factors_reset_at IS NOT NULL);
