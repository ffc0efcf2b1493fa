-- A profile begins with a name; the rest of it comes with the first update.
ALTER TABLE "profiles" ALTER COLUMN "gender" DROP NOT NULL,
ALTER COLUMN "country_id" DROP NOT NULL,
ALTER COLUMN "region_id" DROP NOT NULL,
ALTER COLUMN "city_id" DROP NOT NULL,
ALTER COLUMN "nationality_id" DROP NOT NULL,
ALTER COLUMN "type" DROP NOT NULL,
ALTER COLUMN "longitude" DROP NOT NULL,
ALTER COLUMN "latitude" DROP NOT NULL;
ALTER TABLE "lawyer_profiles" ALTER COLUMN "about" DROP NOT NULL,
ALTER COLUMN "national_id" DROP NOT NULL,
ALTER COLUMN "identity_type" DROP NOT NULL,
ALTER COLUMN "birth_date" DROP NOT NULL,
ALTER COLUMN "degree_id" DROP NOT NULL,
ALTER COLUMN "general_specialty_id" DROP NOT NULL,
ALTER COLUMN "accurate_specialty_id" DROP NOT NULL,
ALTER COLUMN "functional_case_id" DROP NOT NULL;

-- Whole or not at all.
ALTER TABLE "profiles" ADD CONSTRAINT "profiles_complete" CHECK (num_nulls(gender, country_id, region_id, city_id, nationality_id, type, longitude, latitude) IN (0, 8));
ALTER TABLE "lawyer_profiles" ADD CONSTRAINT "lawyer_profiles_complete" CHECK (num_nulls(about, national_id, identity_type, birth_date, degree_id, general_specialty_id, accurate_specialty_id, functional_case_id) IN (0, 8));
