-- outside a transaction
-- replaces c689aa30b62e0935d89c5e5e9cf089ed31d42dfd6c901aad3f76426eebd60438
-- The state of an event, as in EVENT_STATE of src/store/events/state.ts.
-- CreateIndex
CREATE INDEX CONCURRENTLY "events_state_idx" ON "events"((CASE WHEN next_attempt_at IS NOT NULL THEN 'waiting' WHEN delivered_at IS NOT NULL THEN 'delivered' WHEN attempts > 0 THEN 'failed' ELSE 'unsent' END), "id");

-- CreateIndex
CREATE INDEX CONCURRENTLY "events_type_state_idx" ON "events"("type", (CASE WHEN next_attempt_at IS NOT NULL THEN 'waiting' WHEN delivered_at IS NOT NULL THEN 'delivered' WHEN attempts > 0 THEN 'failed' ELSE 'unsent' END), "id");

-- DropIndex
DROP INDEX CONCURRENTLY IF EXISTS "events_type_id_idx";

-- DropIndex
DROP INDEX CONCURRENTLY IF EXISTS "events_next_attempt_at_idx";

-- CreateIndex
CREATE INDEX CONCURRENTLY "events_next_attempt_at_idx" ON "events"("next_attempt_at") WHERE (next_attempt_at IS NOT NULL);

ANALYZE "events";
