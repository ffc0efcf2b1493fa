-- Links that confirm and cancel a reset of the second factors. A transaction cannot use values that it has added: no statement
-- below does.
ALTER TYPE "EmailTokenPurpose" ADD VALUE 'reset_factors';
ALTER TYPE "EmailTokenPurpose" ADD VALUE 'keep_factors';

-- AlterTable
ALTER TABLE "accounts" ADD COLUMN     "factors_reset_at" TIMESTAMPTZ(3);
