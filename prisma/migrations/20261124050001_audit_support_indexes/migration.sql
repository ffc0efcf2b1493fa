-- Administrators filter the audit trail by request and by network. PostgreSQL uses the indexes that the previous migration
-- has built for the first partition, and adds those of the other partitions.
-- CreateIndex
CREATE INDEX "audit_events_request_id_at_idx" ON "audit_events"("request_id", "at");

-- CreateIndex
CREATE INDEX "audit_events_network_at_idx" ON "audit_events"((CASE WHEN strpos(address, ':') = 0 THEN regexp_replace(address, '\d+$', '*') ELSE regexp_replace(split_part(address, '::', 1), '^(([^:]*:){0,2}[^:]*).*$', '\1:*') END), "at");

-- The statistics of the expression
ANALYZE "audit_events";
