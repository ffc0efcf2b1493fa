-- AlterTable
ALTER TABLE "file_store" ADD COLUMN "epoch" UUID,
ADD COLUMN "next_epoch" UUID,
ADD COLUMN "renewed_at" TIMESTAMPTZ(3);
