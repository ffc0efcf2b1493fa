-- Replaces two functions of the search by the same in PL/pgSQL, whose plans a session keeps: PostgreSQL plans a function in
-- SQL again whenever a statement calls it, which took most of the time of a changed name. The keys stay the same, so the
-- index remains valid.

CREATE OR REPLACE FUNCTION "search_keys"(account_id int, name text, email text, phone text, account_type "AccountType", status "AccountStatus", review_status "ReviewStatus")
RETURNS bigint[] LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  texts CONSTANT text := name || E'\n' || email || E'\n' || phone;
BEGIN
  RETURN (
    SELECT array_agg(((account_id >> 12)::bigint << 33) | key) FROM (
      SELECT ((ascii(substr(texts, place, 1)) & 2047)::bigint << 22)
        | ((ascii(substr(texts, place + 1, 1)) & 2047) << 11) | (ascii(substr(texts, place + 2, 1)) & 2047) AS key
      FROM generate_series(1, length(texts) - 2) AS place
      UNION ALL
      SELECT unnest(ARRAY[
        0,
        CASE account_type WHEN 'client' THEN 1 ELSE 2 END,
        CASE status WHEN 'active' THEN 3 ELSE 4 END,
        CASE review_status WHEN 'pending' THEN 5 WHEN 'approved' THEN 6 WHEN 'rejected' THEN 7 ELSE 0 END])) AS keys);
END $$;

CREATE OR REPLACE FUNCTION "write_account_search"(ids int[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO account_search AS s (account_id, name, email, phone, account_type, status, review_status)
  SELECT a.id, fold_text(p.name), fold_text(a.email), a.phone, a.account_type, a.status,
    CASE WHEN a.account_type = 'lawyer' THEN l.review_status END
  FROM accounts a JOIN profiles p ON p.account_id = a.id LEFT JOIN lawyer_profiles l ON l.account_id = a.id
  WHERE a.id = ANY (ids)
  ON CONFLICT (account_id) DO UPDATE SET name = excluded.name, email = excluded.email, phone = excluded.phone,
    account_type = excluded.account_type, status = excluded.status, review_status = excluded.review_status
  WHERE (s.name, s.email, s.phone, s.account_type, s.status, s.review_status) IS DISTINCT FROM
    (excluded.name, excluded.email, excluded.phone, excluded.account_type, excluded.status, excluded.review_status);
END $$;
