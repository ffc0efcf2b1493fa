import { Type } from '@sinclair/typebox'
import type { Environment } from './environment.ts'
import { requiresSmtpTls } from './insecure-urls.ts'
import { text, url, webAddress } from './variable-kinds.ts'

/** Who sends e-mail, in the environment. */
export const mailVariables = {
  SMTP_URL: Type.Optional(
    url('smtp|smtps', {
      about: 'The server that sends e-mail; production requires TLS. Without it, production sends none and says so.',
      accepts: 'smtp://user:password@host:port for STARTTLS, or smtps:// for TLS from the beginning',
      shown: 'none; development shows e-mails at /dev/outbox',
    }),
  ),
  MAIL_FROM: text({
    about: 'Who e-mails are from.',
    accepts: 'an address, or a name and an address in angle brackets',
    default: 'Tawthiq <no-reply@localhost>',
  }),
  PASSWORD_RESET_URL: Type.Optional(
    webAddress({
      about: 'URL of your page that sets a new password. In e-mails, the token follows in the fragment, as `#token=`.',
      shown: 'the e-mail has the token alone',
    }),
  ),
  EMAIL_CONFIRMATION_URL: Type.Optional(
    webAddress({
      about:
        'URL of your page that confirms e-mail addresses and cancels changes. The token and `action=` follow in the fragment.',
      shown: 'the e-mail has the token alone',
    }),
  ),
}

export type MailConfig = Readonly<{
  /** undefined: there is no server */
  url: string | undefined
  /** Whether a server that does not offer TLS is sent nothing */
  requiresTls: boolean
  from: string
  resetUrl: string | undefined
  /** The page that confirms e-mail addresses and cancels their change */
  emailUrl: string | undefined
}>

export function mailConfigOf(given: Environment): MailConfig {
  const { SMTP_URL: url, MAIL_FROM: from, PASSWORD_RESET_URL: resetUrl, EMAIL_CONFIRMATION_URL: emailUrl } = given
  return { url, requiresTls: requiresSmtpTls(given), from, resetUrl, emailUrl }
}
