-- AlterTable
ALTER TABLE "mail_outbox" ADD COLUMN "trace_parent" VARCHAR(55);
