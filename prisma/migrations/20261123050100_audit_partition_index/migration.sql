-- outside a transaction
-- Reads the table while other sessions read and write it.
ALTER TABLE "audit_events" VALIDATE CONSTRAINT "audit_events_at_check";

-- A primary key of a partitioned table includes the partition key.
-- CreateIndex
CREATE UNIQUE INDEX CONCURRENTLY "audit_events_before_pkey" ON "audit_events"("id", "at");
