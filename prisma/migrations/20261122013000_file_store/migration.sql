-- CreateEnum
CREATE TYPE "RemovalReason" AS ENUM ('orphaned', 'account_deleted');

-- AlterTable
ALTER TABLE "files" ALTER COLUMN "key" SET DATA TYPE VARCHAR(200);

-- CreateTable
CREATE TABLE "file_store" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "database_id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "generation" INTEGER NOT NULL DEFAULT 0,
    "swept_at" TIMESTAMPTZ(3),
    "sweep_id" UUID,
    "sweep_until" TIMESTAMPTZ(3),

    CONSTRAINT "file_store_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "file_removals" (
    "key" VARCHAR(200) NOT NULL,
    "reason" "RemovalReason" NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "file_removals_pkey" PRIMARY KEY ("key")
);

-- CreateIndex
CREATE INDEX "file_removals_reason_due_at_idx" ON "file_removals"("reason", "due_at");
