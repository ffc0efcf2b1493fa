-- CreateIndex
CREATE INDEX "email_tokens_email_idx" ON "email_tokens"("email") WHERE (verified_at IS NOT NULL);

