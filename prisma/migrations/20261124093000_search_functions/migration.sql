-- Removes the table of a search that was in no release.
DROP TABLE IF EXISTS "account_search";
DROP FUNCTION IF EXISTS "search_changed_account"() CASCADE;
DROP FUNCTION IF EXISTS "search_changed_profile"() CASCADE;
DROP FUNCTION IF EXISTS "search_changed_rows"() CASCADE;
DROP FUNCTION IF EXISTS "write_account_search"(int[]);
DROP FUNCTION IF EXISTS "search_keys"(int, text, text, text, "AccountType", "AccountStatus", "ReviewStatus");

-- Folds a text for searching. The twin of `foldText` in src/domain/lookups/lookups.ts, except that it leaves spaces as they
-- are. The first two cases are texts of ASCII characters, and of ASCII and Arabic letters, which take less time. With the
-- locale C, `lower` changes ASCII letters only, so other capital letters are listed. The ranges are the combining marks of Latin,
-- Greek, Cyrillic, Hebrew and Arabic letters, and tatweel. It must call no function of this schema: PostgreSQL 17 builds indexes
-- without its search path.
CREATE OR REPLACE FUNCTION "fold_text"(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN octet_length(value) = length(value) THEN lower(value)
    WHEN value ~ '^[\u0001-\u007F\u0621-\u063A\u0641-\u064A]*$' THEN translate(lower(value), 'أإآؤئىة', 'اااوييه')
    ELSE translate(lower(regexp_replace(normalize(value, NFKD),
      '[\u0300-\u036F\u0483-\u0487\u0591-\u05BD\u05BF\u05C1-\u05C2\u05C4-\u05C5\u05C7\u0610-\u061A\u0640\u064B-\u065F\u0670\u06D6-\u06DC\u06DF-\u06E4\u06E7-\u06E8\u06EA-\u06ED\u0711\u0730-\u074A\u07A6-\u07B0\u07EB-\u07F3\u07FD\u0816-\u0819\u081B-\u0823\u0825-\u0827\u0829-\u082D\u0859-\u085B\u0897-\u089F\u08CA-\u08E1\u08E3-\u08FF]+', '', 'g')),
      'ٱىیکةÆÐØÞĐĦŁŊŒŦΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩЂЄЅІЈЉЊЋЏАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯҐ',
      'اييكهæðøþđħłŋœŧαβγδεζηθικλμνξοπρστυφχψωђєѕіјљњћџабвгдежзиклмнопрстуфхцчшщъыьэюяґ')
  END
$$;

-- Returns each three consecutive characters of a text, or none for a shorter one. Its cost lets PostgreSQL look them up in an
-- index instead of computing those of each row. It is not parallel safe, because starting workers takes longer than a search.
CREATE FUNCTION "search_parts"(value text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE STRICT COST 1000 AS $$
DECLARE
  parts text[] := '{}';
BEGIN
  FOR place IN 1..length(value) - 2 LOOP
    parts[place] := substr(value, place, 3);
  END LOOP;
  RETURN parts;
END $$;
