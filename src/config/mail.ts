import { requiresSmtpTls, type UrlVariables } from './insecure-urls.ts'
import { text, webAddress, type OptionalText, type Values } from './variable-kinds.ts'

/** Variables of e-mail. */
export const mailVariables = {
  SMTP_URL: text({
    about: 'Mail server. Production requires TLS.',
    accepts: 'smtp://user:password@host:port for STARTTLS, or smtps://… for implicit TLS',
    shown: 'none; no e-mail is sent',
    format: 'url',
    pattern: '^smtps?://[^/]',
    isSecret: true,
  }),
  MAIL_FROM: text({
    about: 'Sender of e-mails.',
    accepts: 'an e-mail address, or a name and an address in angle brackets',
    default: 'Tawthiq <no-reply@localhost>',
    pattern: String.raw`^([^<>]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$`,
  }),
  PASSWORD_RESET_URL: page(
    'URL of your password-reset page. E-mails link to it, with the token as the fragment `#token=`.',
  ),
  EMAIL_CONFIRMATION_URL: page(
    'URL of your page that confirms e-mail addresses, cancels changes and undoes password resets. The fragment has the token and `action=`.',
  ),
  FACTOR_RESET_URL: page(
    'URL of your page that confirms and cancels resets of second factors. The fragment has the token and `action=`.',
  ),
}

function page(about: string): OptionalText {
  return webAddress({ about, shown: 'the account pages; without them none, and e-mails have the token alone' })
}

/** Lists the variables that production needs to send e-mail. */
export function mailProblems({ SMTP_URL, MAIL_FROM }: Partial<Values<typeof mailVariables>>): string[] {
  if (SMTP_URL === undefined || MAIL_FROM !== mailVariables.MAIL_FROM.default) return []
  return ['MAIL_FROM is not set: mail servers reject e-mails from localhost. Expected the address of your sender.']
}

/** @param pagesUrl the page that e-mails link to unless they have another one */
export const mailConfig = (
  given: Values<typeof mailVariables> & UrlVariables & { NODE_ENV: string },
  pagesUrl: string | undefined,
) =>
  ({
    /** undefined: no mail server is configured */
    url: given.SMTP_URL,
    /** Whether nothing is sent to a server that does not offer TLS */
    requiresTls: requiresSmtpTls(given),
    from: given.MAIL_FROM,
    /** The page that sets a new password; undefined if there is none, like the others */
    resetUrl: given.PASSWORD_RESET_URL ?? pagesUrl,
    /** The page that confirms e-mail addresses and cancels changes */
    emailUrl: given.EMAIL_CONFIRMATION_URL ?? pagesUrl,
    /** The page that confirms and cancels resets of second factors */
    factorResetUrl: given.FACTOR_RESET_URL ?? pagesUrl,
  }) as const
