-- The audit trail becomes a table with a partition for each month. The table so far becomes its first partition. The
-- constraint gives that partition its upper bound: PostgreSQL then attaches it without reading it. The bound is 1 to 2
-- months ahead, because events are added until the migration that attaches the table. Apply that one within a month.
DO $$
BEGIN
  EXECUTE format('ALTER TABLE "audit_events" ADD CONSTRAINT "audit_events_at_check" CHECK ("at" < %L) NOT VALID',
    date_trunc('month', now() AT TIME ZONE 'UTC' + interval '2 months') AT TIME ZONE 'UTC');
END $$;
