-- Functions that add and drop partitions of the audit trail. The service calls them every hour as a user who may have no
-- right to change tables, so they run as the owner, only for users who may delete from the table. They wait for locks for
-- 0.2 s at most, and return without effect if others hold them.

-- Lists the partitions. The first one begins at -infinity, the last one ends at infinity.
CREATE FUNCTION "audit_partitions"() RETURNS TABLE (partition REGCLASS, from_at TIMESTAMPTZ, to_at TIMESTAMPTZ)
LANGUAGE sql STABLE SET timezone = 'UTC' SET datestyle = 'ISO' AS $$
  SELECT c.oid::regclass,
    coalesce(substring(bound FROM 'FROM \(''([^'']+)''\)')::timestamptz, '-infinity'),
    coalesce(substring(bound FROM 'TO \(''([^'']+)''\)')::timestamptz, 'infinity')
  FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid, pg_get_expr(c.relpartbound, c.oid) AS bound
  WHERE inhparent = '"audit_events"'::regclass
$$;

-- Ends the last partition at the end of a month and adds the next one, a month before it is needed. Returns the name of
-- the new partition. A last partition that has rows already is read to end it, which blocks the table: a large one stays.
CREATE FUNCTION "extend_audit_partitions"() RETURNS TEXT
LANGUAGE plpgsql SECURITY DEFINER SET timezone = 'UTC' SET lock_timeout = '200ms' AS $$
DECLARE
  last_partition REGCLASS;
  begins_at TIMESTAMPTZ;
  ends_at TIMESTAMPTZ;
  added TEXT;
BEGIN
  IF NOT has_table_privilege(session_user, '"audit_events"', 'DELETE') THEN
    RAISE EXCEPTION '% may not delete from audit_events', session_user USING ERRCODE = 'insufficient_privilege';
  END IF;
  FOR attempt IN 1..2 LOOP -- once without and once with the lock
    SELECT partition, from_at INTO last_partition, begins_at FROM "audit_partitions"() WHERE to_at = 'infinity';
    IF begins_at > now() + interval '1 month' OR pg_relation_size(last_partition) > 134217728 THEN RETURN NULL; END IF;
    IF attempt = 1 THEN LOCK TABLE ONLY "audit_events" IN ACCESS EXCLUSIVE MODE; END IF;
  END LOOP;
  EXECUTE format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE NOWAIT', last_partition);
  ends_at := greatest(begins_at, date_trunc('month', now())) + interval '1 month';
  added := to_char(ends_at, '"audit_events_y"YYYY"m"MM');
  EXECUTE format('ALTER TABLE "audit_events" DETACH PARTITION %s', last_partition);
  EXECUTE format('ALTER TABLE "audit_events" ATTACH PARTITION %s FOR VALUES FROM (%L) TO (%L)',
    last_partition, begins_at, ends_at);
  PERFORM "add_audit_partition"(added, ends_at, 'infinity');
  RETURN added;
EXCEPTION WHEN lock_not_available THEN RETURN NULL;
END $$;

-- Lists the first partitions, as long as all of their events are before `cutoff`, and so are all other events of the seals
-- of these events: a seal cannot be verified with a part of its events. Events without a seal wait for one if the last
-- seal is less than a day old.
CREATE FUNCTION "expired_audit_partitions"(cutoff TIMESTAMPTZ) RETURNS SETOF REGCLASS LANGUAGE plpgsql STABLE AS $$
DECLARE
  each REGCLASS;
  first_id BIGINT;
  last_id BIGINT;
  sealed_to BIGINT;
  seal RECORD;
  is_part BOOLEAN;
BEGIN
  FOR each IN SELECT partition FROM "audit_partitions"() WHERE to_at <= cutoff ORDER BY to_at LOOP
    EXECUTE format('SELECT min(id), max(id) FROM %s', each) INTO first_id, last_id;
    sealed_to := (SELECT to_id FROM "audit_seals" WHERE to_id >= last_id ORDER BY to_id LIMIT 1);
    IF last_id IS NOT NULL AND sealed_to IS NULL
      AND (SELECT sealed_at FROM "audit_seals" ORDER BY number DESC LIMIT 1) > now() - interval '1 day'
    THEN RETURN;
    END IF;
    FOR seal IN
      SELECT from_id, to_id FROM "audit_seals"
      WHERE to_id BETWEEN first_id AND coalesce(sealed_to, last_id) AND last_at >= cutoff
    LOOP
      EXECUTE format('SELECT EXISTS (SELECT FROM %s WHERE id BETWEEN $1 AND $2)', each)
        INTO is_part USING seal.from_id, seal.to_id;
      IF is_part THEN RETURN; END IF;
    END LOOP;
    RETURN NEXT each;
  END LOOP;
END $$;

-- Drops the partitions whose retention period is over, 30 days at least, and returns their names. An empty partition
-- replaces them, so that no event is without one. Seals stay.
CREATE FUNCTION "drop_audit_partitions"(retention_days INTEGER) RETURNS TEXT[]
LANGUAGE plpgsql SECURITY DEFINER SET timezone = 'UTC' SET lock_timeout = '200ms' AS $$
DECLARE
  cutoff TIMESTAMPTZ := now() - make_interval(days => greatest(retention_days, 30));
  expired REGCLASS[];
  names TEXT[];
  ends_at TIMESTAMPTZ;
  each REGCLASS;
BEGIN
  IF NOT has_table_privilege(session_user, '"audit_events"', 'DELETE') THEN
    RAISE EXCEPTION '% may not delete from audit_events', session_user USING ERRCODE = 'insufficient_privilege';
  END IF;
  FOR attempt IN 1..2 LOOP -- once without and once with the lock
    expired := ARRAY(SELECT "expired_audit_partitions"(cutoff));
    -- the empty one that replaced others
    IF cardinality(expired) = 0 OR cardinality(expired) = 1 AND pg_relation_size(expired[1]) = 0 THEN RETURN '{}'; END IF;
    IF attempt = 1 THEN LOCK TABLE ONLY "audit_events" IN ACCESS EXCLUSIVE MODE; END IF;
  END LOOP;
  names := expired::text[];
  ends_at := (SELECT max(to_at) FROM "audit_partitions"() WHERE partition = ANY (expired));
  FOREACH each IN ARRAY expired LOOP
    EXECUTE format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE NOWAIT', each);
    EXECUTE format('DROP TABLE %s', each);
  END LOOP;
  PERFORM "add_audit_partition"('audit_events_before', '-infinity', ends_at);
  RETURN names;
EXCEPTION WHEN lock_not_available THEN RETURN '{}';
END $$;

-- Functions that run as their owner look up names only in the system catalog and in the schema of the tables.
DO $$
DECLARE
  name TEXT;
BEGIN
  FOREACH name IN ARRAY ARRAY['audit_partitions()', 'extend_audit_partitions()', 'drop_audit_partitions(integer)'] LOOP
    EXECUTE format('ALTER FUNCTION %s SET search_path = %I, pg_temp', name, current_schema());
  END LOOP;
END $$;
