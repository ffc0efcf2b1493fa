-- AlterTable
ALTER TABLE "mail_outbox" ADD COLUMN     "digest_for" VARCHAR(22);

-- CreateTable
CREATE TABLE "notice_windows" (
    "account_id" INTEGER NOT NULL,
    "recipient" VARCHAR(22) NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "notices" INTEGER NOT NULL,

    CONSTRAINT "notice_windows_pkey" PRIMARY KEY ("account_id","recipient")
);

-- CreateIndex
CREATE INDEX "notice_windows_started_at_idx" ON "notice_windows"("started_at");

-- CreateIndex
CREATE INDEX "mail_outbox_digest_idx" ON "mail_outbox"("account_id", "digest_for", "attempts", "id") WHERE (digest_for IS NOT NULL);

-- AddForeignKey
ALTER TABLE "notice_windows" ADD CONSTRAINT "notice_windows_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;
