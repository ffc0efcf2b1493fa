-- CreateEnum
CREATE TYPE "CodePurpose" AS ENUM ('verification', 'reset');

-- Numbers that were verified by instances of the version before, while they still ran
UPDATE "accounts" SET "phone_verified_at" = "created_at", "phone_recovers_from" = "created_at"
WHERE "phone_verified" AND "phone_verified_at" IS NULL;

-- DropIndex
DROP INDEX "accounts_phone_key";

-- AlterTable
ALTER TABLE "accounts" DROP COLUMN "phone_verified";

-- AlterTable
ALTER TABLE "phone_verifications" ADD COLUMN     "other_window" JSONB,
ADD COLUMN     "purpose" "CodePurpose" NOT NULL DEFAULT 'verification';

-- CreateTable
CREATE TABLE "former_phones" (
    "phone" VARCHAR(16) NOT NULL,
    "phone_code" VARCHAR(4) NOT NULL,
    "account_id" INTEGER NOT NULL,
    "verified_at" TIMESTAMPTZ(3) NOT NULL,
    "recovers_until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "former_phones_pkey" PRIMARY KEY ("phone")
);

-- CreateIndex
CREATE INDEX "former_phones_account_id_idx" ON "former_phones"("account_id");

-- CreateIndex
CREATE INDEX "former_phones_recovers_until_idx" ON "former_phones"("recovers_until");

-- CreateIndex
CREATE INDEX "accounts_phone_idx" ON "accounts"("phone");

-- CreateIndex
CREATE UNIQUE INDEX "accounts_verified_phone_key" ON "accounts"("phone") WHERE (phone_verified_at IS NOT NULL);

-- AddForeignKey
ALTER TABLE "former_phones" ADD CONSTRAINT "former_phones_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;
