-- CreateTable
CREATE TABLE "audit_seals" (
    "number" INTEGER NOT NULL,
    "from_id" BIGINT NOT NULL,
    "to_id" BIGINT NOT NULL,
    "rows" INTEGER NOT NULL,
    "last_at" TIMESTAMPTZ(3) NOT NULL,
    "hash" CHAR(64) NOT NULL,
    "signature" CHAR(64) NOT NULL,
    "key_id" VARCHAR(64) NOT NULL,
    "sealed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "audit_seals_pkey" PRIMARY KEY ("number")
);

-- CreateIndex
CREATE UNIQUE INDEX "audit_seals_to_id_key" ON "audit_seals"("to_id");

-- CreateIndex
CREATE INDEX "audit_events_subject_idx" ON "audit_events"("subject");

-- The audit trail is append-only. A transaction that erases personal data or applies retention says so first, with
-- set_config('tawthiq.audit', 'erasure' or 'retention', true). This stops accidents and bugs, not a superuser or the
-- owner of the table, who can disable a trigger: that is what seals are for.
CREATE FUNCTION "guard_audit_events"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  purpose TEXT := current_setting('tawthiq.audit', true);
  personal TEXT[] := ARRAY['subject', 'reason', 'address'];
BEGIN
  IF TG_OP = 'UPDATE' AND purpose = 'erasure'
    AND to_jsonb(NEW) - personal = to_jsonb(OLD) - personal
    AND (NEW.subject IS NULL OR NEW.subject = OLD.subject)
    AND (NEW.reason IS NULL OR NEW.reason = OLD.reason)
    AND (NEW.address IS NULL OR NEW.address = OLD.address)
  THEN RETURN NEW;
  END IF;
  -- 30 days is the shortest AUDIT_RETENTION_DAYS
  IF TG_OP = 'DELETE' AND purpose = 'retention' AND OLD.at < now() - interval '30 days' THEN RETURN OLD;
  END IF;
  RAISE EXCEPTION 'audit_events is append-only: % refused', TG_OP USING ERRCODE = 'insufficient_privilege';
END $$;

CREATE TRIGGER "audit_events_append_only" BEFORE UPDATE OR DELETE ON "audit_events"
  FOR EACH ROW EXECUTE FUNCTION "guard_audit_events"();

CREATE FUNCTION "refuse_audit_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'insufficient_privilege';
END $$;

CREATE TRIGGER "audit_events_no_truncate" BEFORE TRUNCATE ON "audit_events"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_audit_change"();

CREATE TRIGGER "audit_seals_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit_seals"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_audit_change"();
