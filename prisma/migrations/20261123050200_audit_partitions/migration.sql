-- No statement reads the rows, so the lock is short. Other sessions continue with the new table, because they refer to it
-- by its name.
LOCK TABLE "audit_events" IN ACCESS EXCLUSIVE MODE;

ALTER TABLE "audit_events" RENAME TO "audit_events_before";
ALTER TABLE "audit_events_before" DROP CONSTRAINT "audit_events_pkey",
  ADD CONSTRAINT "audit_events_before_pkey" PRIMARY KEY USING INDEX "audit_events_before_pkey";
ALTER INDEX "audit_events_account_id_at_idx" RENAME TO "audit_events_before_account_id_at_idx";
ALTER INDEX "audit_events_actor_id_at_idx" RENAME TO "audit_events_before_actor_id_at_idx";
ALTER INDEX "audit_events_event_at_idx" RENAME TO "audit_events_before_event_at_idx";
ALTER INDEX "audit_events_at_idx" RENAME TO "audit_events_before_at_idx";
ALTER INDEX "audit_events_subject_idx" RENAME TO "audit_events_before_subject_idx";
-- The row trigger of the new table is added to each partition. A trigger on TRUNCATE is not: this one stays.
DROP TRIGGER "audit_events_append_only" ON "audit_events_before";

CREATE TABLE "audit_events" (LIKE "audit_events_before" INCLUDING DEFAULTS) PARTITION BY RANGE ("at");

-- The new table has the owner and the rights of the old one.
DO $$
DECLARE
  old_owner REGROLE := (SELECT relowner FROM pg_class WHERE oid = '"audit_events_before"'::regclass);
  granted RECORD;
BEGIN
  IF old_owner <> (SELECT relowner FROM pg_class WHERE oid = '"audit_events"'::regclass) THEN
    EXECUTE format('ALTER TABLE "audit_events" OWNER TO %s', old_owner);
  END IF;
  FOR granted IN
    SELECT a.grantee, a.privilege_type, a.is_grantable FROM pg_class, aclexplode(relacl) AS a
    WHERE oid = '"audit_events_before"'::regclass AND a.grantee <> relowner
  LOOP
    EXECUTE format('GRANT %s ON "audit_events" TO %s%s', granted.privilege_type,
      CASE granted.grantee WHEN 0 THEN 'PUBLIC' ELSE granted.grantee::regrole::text END,
      CASE WHEN granted.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END);
  END LOOP;
END $$;

ALTER SEQUENCE "audit_events_id_seq" OWNED BY "audit_events"."id";

ALTER TABLE "audit_events" ADD CONSTRAINT "audit_events_pkey" PRIMARY KEY ("id", "at");
CREATE INDEX "audit_events_account_id_at_idx" ON "audit_events"("account_id", "at");
CREATE INDEX "audit_events_actor_id_at_idx" ON "audit_events"("actor_id", "at");
CREATE INDEX "audit_events_event_at_idx" ON "audit_events"("event", "at");
CREATE INDEX "audit_events_at_idx" ON "audit_events"("at");
CREATE INDEX "audit_events_subject_idx" ON "audit_events"("subject") WHERE (account_id IS NULL AND actor_id IS NULL);

CREATE TRIGGER "audit_events_append_only" BEFORE UPDATE OR DELETE ON "audit_events"
  FOR EACH ROW EXECUTE FUNCTION "guard_audit_events"();
CREATE TRIGGER "audit_events_no_truncate" BEFORE TRUNCATE ON "audit_events"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_audit_change"();

-- Adds an empty partition. The name of the first one says what it is, that of the others is their first month.
CREATE FUNCTION "add_audit_partition"(name TEXT, from_at TIMESTAMPTZ, to_at TIMESTAMPTZ) RETURNS VOID LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE TABLE %I PARTITION OF "audit_events" FOR VALUES FROM (%s) TO (%s)', name,
    CASE from_at WHEN '-infinity' THEN 'MINVALUE' ELSE quote_literal(from_at) END,
    CASE to_at WHEN 'infinity' THEN 'MAXVALUE' ELSE quote_literal(to_at) END);
  EXECUTE format('CREATE TRIGGER "audit_events_no_truncate" BEFORE TRUNCATE ON %I
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_audit_change"()', name);
END $$;

-- The last partition has no upper bound, so every event has a partition, even if no further one is added. In a new
-- database, the months begin at once.
DO $$
DECLARE
  bound TIMESTAMPTZ := date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC';
BEGIN
  IF EXISTS (SELECT FROM "audit_events_before") THEN
    bound := substring(pg_get_constraintdef(oid) FROM '''(.+)''') FROM pg_constraint
      WHERE conrelid = '"audit_events_before"'::regclass AND conname = 'audit_events_at_check';
  END IF;
  EXECUTE format('ALTER TABLE "audit_events" ATTACH PARTITION "audit_events_before" FOR VALUES FROM (MINVALUE) TO (%L)', bound);
  PERFORM "add_audit_partition"(to_char(bound AT TIME ZONE 'UTC', '"audit_events_y"YYYY"m"MM'), bound, 'infinity');
END $$;

ALTER TABLE "audit_events_before" DROP CONSTRAINT "audit_events_at_check";
