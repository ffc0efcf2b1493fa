-- outside a transaction
-- CreateIndex
CREATE INDEX CONCURRENTLY "accounts_former_email_idx" ON "accounts"("former_email") WHERE (former_email IS NOT NULL);
