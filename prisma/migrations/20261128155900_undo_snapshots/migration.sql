-- AlterEnum
ALTER TYPE "EmailTokenPurpose" ADD VALUE 'undo_reset';

-- DropForeignKey
ALTER TABLE "password_reset_undos" DROP CONSTRAINT "password_reset_undos_account_id_fkey";

-- AlterTable
ALTER TABLE "email_tokens" ADD COLUMN     "factors" JSONB,
ADD COLUMN     "phone" VARCHAR(16),
ADD COLUMN     "phone_code" VARCHAR(4),
ADD COLUMN     "sent_at" TIMESTAMPTZ(3),
ADD COLUMN     "totp_secret" BYTEA;

-- DropTable
DROP TABLE "password_reset_undos";

