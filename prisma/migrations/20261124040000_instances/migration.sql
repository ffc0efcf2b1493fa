-- CreateTable
CREATE TABLE "instances" (
    "id" UUID NOT NULL,
    "name" VARCHAR(100) NOT NULL,
    "keys" JSONB NOT NULL,
    "used" JSONB NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,
    "is_stopped" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "instances_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "instances_seen_at_idx" ON "instances"("seen_at");
