-- AlterEnum
ALTER TYPE "EmailTokenPurpose" ADD VALUE 'undo_by_phone';

