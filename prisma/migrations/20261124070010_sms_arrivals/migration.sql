-- AlterTable
ALTER TABLE "sms_circuits" ADD COLUMN "arrived_at" TIMESTAMPTZ(3);
