-- When an account whose owner wants to leave is deleted.
ALTER TABLE "accounts" ADD COLUMN "deletion_due_at" TIMESTAMPTZ(3);

-- CreateIndex
CREATE INDEX "accounts_deletion_due_at_idx" ON "accounts"("deletion_due_at");
