-- AlterTable
ALTER TABLE "phone_verifications" ADD COLUMN     "sent_by" TEXT[],
ADD COLUMN     "wrong_by" TEXT[];

-- Wrong codes are counted for every number, so no rows stand in for those without a code any more.
DELETE FROM "phone_verifications" WHERE "phone" LIKE 'decoy-%';
