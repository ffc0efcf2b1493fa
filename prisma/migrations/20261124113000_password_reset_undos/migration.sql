-- CreateTable
CREATE TABLE "password_reset_undos" (
    "token_hash" BYTEA NOT NULL,
    "account_id" INTEGER NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "password_reset_undos_pkey" PRIMARY KEY ("token_hash")
);

-- CreateIndex
CREATE INDEX "password_reset_undos_account_id_idx" ON "password_reset_undos"("account_id");

-- CreateIndex
CREATE INDEX "password_reset_undos_expires_at_idx" ON "password_reset_undos"("expires_at");

-- AddForeignKey
ALTER TABLE "password_reset_undos" ADD CONSTRAINT "password_reset_undos_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;
