-- CreateTable
CREATE TABLE "imports" (
    "file_hash" CHAR(64) NOT NULL,
    "rows" INTEGER NOT NULL,
    "imported" INTEGER NOT NULL,
    "refused" INTEGER NOT NULL,
    "reasons" JSONB NOT NULL,
    "report" VARCHAR(4096),
    "report_bytes" BIGINT NOT NULL DEFAULT 0,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "imports_pkey" PRIMARY KEY ("file_hash")
);
