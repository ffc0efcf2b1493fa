-- AlterTable
ALTER TABLE "sessions" ADD COLUMN     "lost_successors" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "successor_unused" BOOLEAN NOT NULL DEFAULT false;

