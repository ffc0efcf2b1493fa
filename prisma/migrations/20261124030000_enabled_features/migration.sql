-- CreateTable
CREATE TABLE "enabled_features" (
    "name" VARCHAR(40) NOT NULL,
    "least_version" VARCHAR(20) NOT NULL,
    "enabled_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "enabled_features_pkey" PRIMARY KEY ("name")
);
