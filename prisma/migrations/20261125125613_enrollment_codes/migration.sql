-- CreateTable
CREATE TABLE "enrollment_codes" (
    "account_id" INTEGER NOT NULL,
    "code_hash" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "enrollment_codes_pkey" PRIMARY KEY ("account_id")
);

-- CreateIndex
CREATE INDEX "enrollment_codes_expires_at_idx" ON "enrollment_codes"("expires_at");

-- AddForeignKey
ALTER TABLE "enrollment_codes" ADD CONSTRAINT "enrollment_codes_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

