-- AlterTable
ALTER TABLE "accounts" ADD COLUMN     "profile_version" INTEGER NOT NULL DEFAULT 0;

-- The version counts the changes of the profile that its owner sees, whatever statement makes them. It is a column of
-- the account because every change of a profile locks that row: a statement that waits for the lock reads the new version
-- of it, but the old version of all other tables. Accounts are inserted with their profile, so inserts of `profiles` and
-- `lawyer_profiles` are not counted: a lawyer profile is added later only when the type of the account changes.
CREATE FUNCTION "count_account_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.profile_version := OLD.profile_version + 1;
  RETURN NEW;
END $$;

CREATE TRIGGER "accounts_profile_version" BEFORE UPDATE ON "accounts" FOR EACH ROW
  WHEN ((OLD.email, OLD.phone, OLD.phone_code, OLD.phone_verified_at IS NULL, OLD.email_verified_at IS NULL,
      OLD.pending_email, OLD.account_type, OLD.deletion_due_at)
    IS DISTINCT FROM (NEW.email, NEW.phone, NEW.phone_code, NEW.phone_verified_at IS NULL, NEW.email_verified_at IS NULL,
      NEW.pending_email, NEW.account_type, NEW.deletion_due_at))
  EXECUTE FUNCTION "count_account_change"();

CREATE FUNCTION "count_profile_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE accounts SET profile_version = profile_version + 1 WHERE id = NEW.account_id;
  RETURN NULL;
END $$;

CREATE TRIGGER "profiles_version" AFTER UPDATE ON "profiles" FOR EACH ROW
  WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION "count_profile_change"();
CREATE TRIGGER "lawyer_profiles_version" AFTER UPDATE ON "lawyer_profiles" FOR EACH ROW
  WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION "count_profile_change"();

-- These tables are written as a whole, so one statement counts once for each account.
CREATE FUNCTION "count_profile_rows"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE accounts SET profile_version = profile_version + 1 WHERE id IN (SELECT account_id FROM changed);
  RETURN NULL;
END $$;

CREATE TRIGGER "files_version_insert" AFTER INSERT ON "files" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION "count_profile_rows"();
CREATE TRIGGER "files_version_update" AFTER UPDATE ON "files" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION "count_profile_rows"();
CREATE TRIGGER "files_version_delete" AFTER DELETE ON "files" REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION "count_profile_rows"();
CREATE TRIGGER "lawyer_licences_version_insert" AFTER INSERT ON "lawyer_licences" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION "count_profile_rows"();
CREATE TRIGGER "lawyer_licences_version_update" AFTER UPDATE ON "lawyer_licences" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION "count_profile_rows"();
CREATE TRIGGER "lawyer_licences_version_delete" AFTER DELETE ON "lawyer_licences" REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION "count_profile_rows"();
CREATE TRIGGER "lawyer_languages_version_insert" AFTER INSERT ON "lawyer_languages" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION "count_profile_rows"();
CREATE TRIGGER "lawyer_languages_version_update" AFTER UPDATE ON "lawyer_languages" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION "count_profile_rows"();
CREATE TRIGGER "lawyer_languages_version_delete" AFTER DELETE ON "lawyer_languages" REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION "count_profile_rows"();
