-- How often the refresh token of a session was exchanged, and when it was last. A session that there is has no refresh
-- token; it ends with its access token, as it would have.
ALTER TABLE "sessions" ADD COLUMN "generation" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN "refreshed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;
