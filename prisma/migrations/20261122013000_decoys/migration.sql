-- Rows that belong to no number. A wrong code for a number without a live window is written to one of them, so that it
-- takes as long as a wrong code that is counted. They never expire, so that no sweep deletes them.
INSERT INTO "phone_verifications" ("phone", "window_id", "state", "started_at", "expires_at", "wrong_tries", "sent_at", "wrong_at", "version")
SELECT 'decoy-' || "number", gen_random_uuid(), 'sent', now(), '9999-12-31 00:00:00+00', 0, ARRAY[now()], ARRAY[now()], 1
FROM generate_series(0, 1023) AS "number";
