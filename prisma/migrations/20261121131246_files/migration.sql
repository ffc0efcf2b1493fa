-- CreateEnum
CREATE TYPE "FileKind" AS ENUM ('profile_photo', 'national_id_image', 'degree_certificate', 'cv_file', 'company_license_file', 'logo');

-- CreateTable
CREATE TABLE "files" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "account_id" INTEGER NOT NULL,
    "kind" "FileKind" NOT NULL,
    "key" VARCHAR(64) NOT NULL,
    "type" VARCHAR(32) NOT NULL,
    "bytes" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "files_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "files_key_key" ON "files"("key");

-- CreateIndex
CREATE UNIQUE INDEX "files_account_id_kind_key" ON "files"("account_id", "kind");

-- AddForeignKey
ALTER TABLE "files" ADD CONSTRAINT "files_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;
