-- CreateTable
CREATE TABLE "account_search" (
    "account_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "phone" VARCHAR(16) NOT NULL,
    "account_type" "AccountType" NOT NULL,
    "status" "AccountStatus" NOT NULL,
    "review_status" "ReviewStatus",

    CONSTRAINT "account_search_pkey" PRIMARY KEY ("account_id")
);

-- AddForeignKey
ALTER TABLE "account_search" ADD CONSTRAINT "account_search_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "profiles"("account_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Folds a text for searching. The twin of `foldText` in src/domain/lookups/lookups.ts, except that it leaves spaces as they
-- are. The ranges are the combining marks of Latin, Greek, Cyrillic, Hebrew and Arabic letters, and tatweel.
CREATE FUNCTION "fold_text"(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT translate(lower(regexp_replace(normalize(value, NFKD),
    '[\u0300-\u036F\u0483-\u0487\u0591-\u05BD\u05BF\u05C1-\u05C2\u05C4-\u05C5\u05C7\u0610-\u061A\u0640\u064B-\u065F\u0670\u06D6-\u06DC\u06DF-\u06E4\u06E7-\u06E8\u06EA-\u06ED\u0711\u0730-\u074A\u07A6-\u07B0\u07EB-\u07F3\u07FD\u0816-\u0819\u081B-\u0823\u0825-\u0827\u0829-\u082D\u0859-\u085B\u0897-\u089F\u08CA-\u08E1\u08E3-\u08FF]+',
    '', 'g')), 'ٱىیکة', 'اييكه')
$$;

-- Returns the keys of an account in the index of the search: one for each three characters of its texts, and one for each
-- value that the list can be filtered by. A key contains the block of 4096 ids that the account belongs to. Each lookup
-- therefore reads a bounded number of entries, however frequent a text is. The function uses no extension and does not
-- depend on the locale. Its twin is src/store/admin/search-keys.ts.
CREATE FUNCTION "search_keys"(account_id int, name text, email text, phone text, account_type "AccountType", status "AccountStatus", review_status "ReviewStatus")
RETURNS bigint[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT array_agg(((account_id >> 12)::bigint << 33) | key) FROM (
    SELECT ((ascii(substr(text, place, 1)) & 2047)::bigint << 22)
      | ((ascii(substr(text, place + 1, 1)) & 2047) << 11) | (ascii(substr(text, place + 2, 1)) & 2047) AS key
    FROM (SELECT name || E'\n' || email || E'\n' || phone AS text) AS texts, generate_series(1, length(text) - 2) AS place
    UNION ALL
    SELECT unnest(ARRAY[
      0,
      CASE account_type WHEN 'client' THEN 1 ELSE 2 END,
      CASE status WHEN 'active' THEN 3 ELSE 4 END,
      CASE review_status WHEN 'pending' THEN 5 WHEN 'approved' THEN 6 WHEN 'rejected' THEN 7 ELSE 0 END])) AS keys
$$;

-- Writes the rows of accounts that were added or changed. Accounts without a profile have no row.
CREATE FUNCTION "write_account_search"(ids int[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO account_search AS s (account_id, name, email, phone, account_type, status, review_status)
  SELECT a.id, fold_text(p.name), fold_text(a.email), a.phone, a.account_type, a.status,
    CASE WHEN a.account_type = 'lawyer' THEN l.review_status END
  FROM accounts a JOIN profiles p ON p.account_id = a.id LEFT JOIN lawyer_profiles l ON l.account_id = a.id
  WHERE a.id = ANY (ids)
  ON CONFLICT (account_id) DO UPDATE SET name = excluded.name, email = excluded.email, phone = excluded.phone,
    account_type = excluded.account_type, status = excluded.status, review_status = excluded.review_status
  WHERE (s.name, s.email, s.phone, s.account_type, s.status, s.review_status) IS DISTINCT FROM
    (excluded.name, excluded.email, excluded.phone, excluded.account_type, excluded.status, excluded.review_status)
$$;

CREATE FUNCTION "search_changed_account"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM write_account_search(ARRAY[NEW.id]);
  RETURN NULL;
END $$;

CREATE FUNCTION "search_changed_profile"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM write_account_search(ARRAY[NEW.account_id]);
  RETURN NULL;
END $$;

CREATE FUNCTION "search_changed_rows"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM write_account_search(ARRAY(SELECT account_id FROM changed));
  RETURN NULL;
END $$;

-- A row is written from the current state of all three tables, so its writers must not overlap. They do not: each holds the
-- lock of the account. A change of `profiles` or `lawyer_profiles` takes it at the latest in the trigger that counts the
-- version, and triggers run in the order of their names.
CREATE TRIGGER "accounts_write_search" AFTER UPDATE OF "email", "phone", "account_type", "status" ON "accounts" FOR EACH ROW
  WHEN ((OLD.email, OLD.phone, OLD.account_type, OLD.status) IS DISTINCT FROM (NEW.email, NEW.phone, NEW.account_type, NEW.status))
  EXECUTE FUNCTION "search_changed_account"();
CREATE TRIGGER "profiles_write_search" AFTER UPDATE OF "name" ON "profiles" FOR EACH ROW
  WHEN (OLD.name IS DISTINCT FROM NEW.name) EXECUTE FUNCTION "search_changed_profile"();
CREATE TRIGGER "profiles_write_search_insert" AFTER INSERT ON "profiles" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION "search_changed_rows"();
CREATE TRIGGER "lawyer_profiles_write_search" AFTER UPDATE OF "review_status" ON "lawyer_profiles" FOR EACH ROW
  WHEN (OLD.review_status IS DISTINCT FROM NEW.review_status) EXECUTE FUNCTION "search_changed_profile"();
CREATE TRIGGER "lawyer_profiles_write_search_insert" AFTER INSERT ON "lawyer_profiles" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION "search_changed_rows"();
CREATE TRIGGER "lawyer_profiles_write_search_delete" AFTER DELETE ON "lawyer_profiles" REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION "search_changed_rows"();
