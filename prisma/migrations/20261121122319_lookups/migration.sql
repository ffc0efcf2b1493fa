-- CreateTable
CREATE TABLE "countries" (
    "id" INTEGER NOT NULL,
    "name_ar" VARCHAR(100) NOT NULL,
    "name_en" VARCHAR(100) NOT NULL,
    "iso2" CHAR(2) NOT NULL,
    "phone_code" VARCHAR(4),
    "active" BOOLEAN NOT NULL DEFAULT true,

    CONSTRAINT "countries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "regions" (
    "id" INTEGER NOT NULL,
    "name_ar" VARCHAR(100) NOT NULL,
    "name_en" VARCHAR(100) NOT NULL,
    "country_id" INTEGER NOT NULL,
    "active" BOOLEAN NOT NULL DEFAULT true,

    CONSTRAINT "regions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "cities" (
    "id" INTEGER NOT NULL,
    "name_ar" VARCHAR(100) NOT NULL,
    "name_en" VARCHAR(100) NOT NULL,
    "region_id" INTEGER NOT NULL,
    "active" BOOLEAN NOT NULL DEFAULT true,

    CONSTRAINT "cities_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "nationalities" (
    "id" INTEGER NOT NULL,
    "name_ar" VARCHAR(100) NOT NULL,
    "name_en" VARCHAR(100) NOT NULL,
    "iso2" CHAR(2) NOT NULL,
    "active" BOOLEAN NOT NULL DEFAULT true,

    CONSTRAINT "nationalities_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "languages" (
    "id" INTEGER NOT NULL,
    "name_ar" VARCHAR(100) NOT NULL,
    "name_en" VARCHAR(100) NOT NULL,
    "iso" CHAR(2) NOT NULL,
    "active" BOOLEAN NOT NULL DEFAULT true,

    CONSTRAINT "languages_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "degrees" (
    "id" INTEGER NOT NULL,
    "name_ar" VARCHAR(100) NOT NULL,
    "name_en" VARCHAR(100) NOT NULL,
    "need_certificate" BOOLEAN NOT NULL,
    "active" BOOLEAN NOT NULL DEFAULT true,

    CONSTRAINT "degrees_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "general_specialties" (
    "id" INTEGER NOT NULL,
    "name_ar" VARCHAR(100) NOT NULL,
    "name_en" VARCHAR(100) NOT NULL,
    "active" BOOLEAN NOT NULL DEFAULT true,

    CONSTRAINT "general_specialties_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "accurate_specialties" (
    "id" INTEGER NOT NULL,
    "name_ar" VARCHAR(100) NOT NULL,
    "name_en" VARCHAR(100) NOT NULL,
    "general_specialty_id" INTEGER NOT NULL,
    "active" BOOLEAN NOT NULL DEFAULT true,

    CONSTRAINT "accurate_specialties_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "functional_cases" (
    "id" INTEGER NOT NULL,
    "name_ar" VARCHAR(100) NOT NULL,
    "name_en" VARCHAR(100) NOT NULL,
    "active" BOOLEAN NOT NULL DEFAULT true,

    CONSTRAINT "functional_cases_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "digital_guide_categories" (
    "id" INTEGER NOT NULL,
    "name_ar" VARCHAR(100) NOT NULL,
    "name_en" VARCHAR(100) NOT NULL,
    "active" BOOLEAN NOT NULL DEFAULT true,

    CONSTRAINT "digital_guide_categories_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "digital_guide_sections" (
    "id" INTEGER NOT NULL,
    "name_ar" VARCHAR(100) NOT NULL,
    "name_en" VARCHAR(100) NOT NULL,
    "category_id" INTEGER NOT NULL,
    "active" BOOLEAN NOT NULL DEFAULT true,

    CONSTRAINT "digital_guide_sections_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "reference_state" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "checksum" VARCHAR(64) NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "reference_state_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "countries_iso2_key" ON "countries"("iso2");

-- CreateIndex
CREATE UNIQUE INDEX "nationalities_iso2_key" ON "nationalities"("iso2");

-- CreateIndex
CREATE UNIQUE INDEX "languages_iso_key" ON "languages"("iso");

-- The profiles that are there choose from rows that are written after this migration.
-- AddForeignKey
ALTER TABLE "profiles" ADD CONSTRAINT "profiles_country_id_fkey" FOREIGN KEY ("country_id") REFERENCES "countries"("id") ON DELETE RESTRICT ON UPDATE CASCADE NOT VALID;

-- AddForeignKey
ALTER TABLE "profiles" ADD CONSTRAINT "profiles_region_id_fkey" FOREIGN KEY ("region_id") REFERENCES "regions"("id") ON DELETE RESTRICT ON UPDATE CASCADE NOT VALID;

-- AddForeignKey
ALTER TABLE "profiles" ADD CONSTRAINT "profiles_city_id_fkey" FOREIGN KEY ("city_id") REFERENCES "cities"("id") ON DELETE RESTRICT ON UPDATE CASCADE NOT VALID;

-- AddForeignKey
ALTER TABLE "profiles" ADD CONSTRAINT "profiles_nationality_id_fkey" FOREIGN KEY ("nationality_id") REFERENCES "nationalities"("id") ON DELETE RESTRICT ON UPDATE CASCADE NOT VALID;

-- AddForeignKey
ALTER TABLE "regions" ADD CONSTRAINT "regions_country_id_fkey" FOREIGN KEY ("country_id") REFERENCES "countries"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "cities" ADD CONSTRAINT "cities_region_id_fkey" FOREIGN KEY ("region_id") REFERENCES "regions"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "accurate_specialties" ADD CONSTRAINT "accurate_specialties_general_specialty_id_fkey" FOREIGN KEY ("general_specialty_id") REFERENCES "general_specialties"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "digital_guide_sections" ADD CONSTRAINT "digital_guide_sections_category_id_fkey" FOREIGN KEY ("category_id") REFERENCES "digital_guide_categories"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Whoever changes a lookup, by whatever means, lets the service know.
CREATE FUNCTION reference_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE reference_state SET version = version + 1;
  RETURN NULL;
END
$$;

CREATE TRIGGER reference_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "countries" FOR EACH STATEMENT EXECUTE FUNCTION reference_changed();
CREATE TRIGGER reference_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "regions" FOR EACH STATEMENT EXECUTE FUNCTION reference_changed();
CREATE TRIGGER reference_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "cities" FOR EACH STATEMENT EXECUTE FUNCTION reference_changed();
CREATE TRIGGER reference_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "nationalities" FOR EACH STATEMENT EXECUTE FUNCTION reference_changed();
CREATE TRIGGER reference_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "languages" FOR EACH STATEMENT EXECUTE FUNCTION reference_changed();
CREATE TRIGGER reference_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "degrees" FOR EACH STATEMENT EXECUTE FUNCTION reference_changed();
CREATE TRIGGER reference_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "general_specialties" FOR EACH STATEMENT EXECUTE FUNCTION reference_changed();
CREATE TRIGGER reference_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "accurate_specialties" FOR EACH STATEMENT EXECUTE FUNCTION reference_changed();
CREATE TRIGGER reference_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "functional_cases" FOR EACH STATEMENT EXECUTE FUNCTION reference_changed();
CREATE TRIGGER reference_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "digital_guide_categories" FOR EACH STATEMENT EXECUTE FUNCTION reference_changed();
CREATE TRIGGER reference_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "digital_guide_sections" FOR EACH STATEMENT EXECUTE FUNCTION reference_changed();
