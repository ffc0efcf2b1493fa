-- The time of all statements of the service, and so of all its instances. Tests replace the function to move their clock.
-- PostgreSQL inlines it: it costs nothing, and its conditions use indexes.
CREATE FUNCTION "service_now"() RETURNS TIMESTAMPTZ LANGUAGE sql STABLE PARALLEL SAFE AS 'SELECT now()';
