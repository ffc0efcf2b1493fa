-- A session keeps the plan of this function. A plan from the time when the tables were small reads them as a whole, and stays
-- in use until they are analyzed, which the embedded database never does. With this setting, it uses the indexes at any size.

ALTER FUNCTION "write_account_search"(int[]) SET enable_seqscan = off;
