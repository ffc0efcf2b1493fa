-- AlterTable
ALTER TABLE "events" ADD COLUMN "trace_parent" VARCHAR(55);
