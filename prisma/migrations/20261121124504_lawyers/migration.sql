-- CreateEnum
CREATE TYPE "ReviewStatus" AS ENUM ('pending', 'approved', 'rejected');

-- CreateTable
CREATE TABLE "lawyer_profiles" (
    "account_id" INTEGER NOT NULL,
    "first_name" VARCHAR(50) NOT NULL,
    "second_name" VARCHAR(50) NOT NULL,
    "third_name" VARCHAR(50),
    "fourth_name" VARCHAR(50) NOT NULL,
    "about" VARCHAR(2000) NOT NULL,
    "national_id" VARCHAR(20) NOT NULL,
    "identity_type" SMALLINT NOT NULL,
    "birth_date" DATE NOT NULL,
    "degree_id" INTEGER NOT NULL,
    "other_degree" VARCHAR(100),
    "general_specialty_id" INTEGER NOT NULL,
    "accurate_specialty_id" INTEGER NOT NULL,
    "functional_case_id" INTEGER NOT NULL,
    "company_name" VARCHAR(160),
    "company_licences_no" VARCHAR(50),
    "review_status" "ReviewStatus" NOT NULL DEFAULT 'pending',

    CONSTRAINT "lawyer_profiles_pkey" PRIMARY KEY ("account_id")
);

-- CreateTable
CREATE TABLE "lawyer_licences" (
    "account_id" INTEGER NOT NULL,
    "section_id" INTEGER NOT NULL,
    "licence_no" VARCHAR(50) NOT NULL,

    CONSTRAINT "lawyer_licences_pkey" PRIMARY KEY ("account_id","section_id")
);

-- CreateTable
CREATE TABLE "lawyer_languages" (
    "account_id" INTEGER NOT NULL,
    "language_id" INTEGER NOT NULL,

    CONSTRAINT "lawyer_languages_pkey" PRIMARY KEY ("account_id","language_id")
);

-- AddForeignKey
ALTER TABLE "lawyer_profiles" ADD CONSTRAINT "lawyer_profiles_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "lawyer_profiles" ADD CONSTRAINT "lawyer_profiles_degree_id_fkey" FOREIGN KEY ("degree_id") REFERENCES "degrees"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "lawyer_profiles" ADD CONSTRAINT "lawyer_profiles_general_specialty_id_fkey" FOREIGN KEY ("general_specialty_id") REFERENCES "general_specialties"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "lawyer_profiles" ADD CONSTRAINT "lawyer_profiles_accurate_specialty_id_fkey" FOREIGN KEY ("accurate_specialty_id") REFERENCES "accurate_specialties"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "lawyer_profiles" ADD CONSTRAINT "lawyer_profiles_functional_case_id_fkey" FOREIGN KEY ("functional_case_id") REFERENCES "functional_cases"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "lawyer_licences" ADD CONSTRAINT "lawyer_licences_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "lawyer_profiles"("account_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "lawyer_licences" ADD CONSTRAINT "lawyer_licences_section_id_fkey" FOREIGN KEY ("section_id") REFERENCES "digital_guide_sections"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "lawyer_languages" ADD CONSTRAINT "lawyer_languages_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "lawyer_profiles"("account_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "lawyer_languages" ADD CONSTRAINT "lawyer_languages_language_id_fkey" FOREIGN KEY ("language_id") REFERENCES "languages"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
