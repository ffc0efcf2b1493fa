-- outside a transaction
-- Builds the indexes of the next migration on the partition that has all events of earlier versions, while other sessions
-- read and write it. The partitions of later months have few events or none when this migration runs.
-- CreateIndex
CREATE INDEX CONCURRENTLY "audit_events_before_request_id_at_idx" ON "audit_events_before"("request_id", "at");

-- The network of an address, as maskAddress of src/domain/mask.ts writes it.
-- CreateIndex
CREATE INDEX CONCURRENTLY "audit_events_before_network_at_idx" ON "audit_events_before"((CASE WHEN strpos(address, ':') = 0 THEN regexp_replace(address, '\d+$', '*') ELSE regexp_replace(split_part(address, '::', 1), '^(([^:]*:){0,2}[^:]*).*$', '\1:*') END), "at");
