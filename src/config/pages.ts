import type { Language } from '../messages/index.ts'
import type { PasskeyConfig } from './security/passkeys.ts'
import { oneOf, origins, text, type Values } from './variable-kinds.ts'

/** Variables of the account pages. */
export const pagesVariables = {
  PAGES: oneOf(['on', 'off'], {
    about:
      'Whether the account pages are served at /account/, and e-mails link to them unless other pages are configured. Production needs PUBLIC_URL for them.',
    shown: 'on in development, off otherwise',
  }),
  PAGES_NAME_AR: pageName('Arabic', 'توثيق'),
  PAGES_NAME_EN: pageName('English', 'Tawthiq'),
  PAGES_LOGO: text({
    about: 'Logo on the account pages, beside the name.',
    accepts: 'the path of an SVG or PNG file of at most 64 kB',
  }),
  PAGES_THEME: text({
    about: 'Colors and fonts of the account pages.',
    accepts: 'the path of a CSS file of at most 32 kB that only sets custom properties',
  }),
  PAGES_RETURN_ORIGINS: origins({
    about: 'Origins to which the account pages may lead after a login, with `?return_to=`.',
    shown: 'none; only paths of the same origin',
  }),
  CAPTCHA_WIDGET: oneOf(['turnstile', 'hcaptcha'], {
    about: 'Widget that the account pages show for a challenge. The browser loads it from its provider.',
    shown: 'none; the account pages cannot solve challenges',
  }),
  CAPTCHA_SITE_KEY: text({
    about: 'Site key for CAPTCHA_WIDGET. Required with it.',
    accepts: 'letters, digits, - and _',
    pattern: '^[\\w-]{1,100}$',
  }),
}

type Given = Values<typeof pagesVariables> & { NODE_ENV: string; PORT: number; PUBLIC_URL?: string | undefined }

export type PagesConfig = Readonly<{
  url: string
  names: Readonly<Record<Language, string>>
  /** Paths of files */
  logo: string | undefined
  theme: string | undefined
  returnOrigins: readonly string[]
  challenge: Readonly<{ widget: 'turnstile' | 'hcaptcha'; siteKey: string }> | undefined
  /** At other origins, the pages offer no passkeys */
  passkeyOrigins: readonly string[]
}>

/** Returns undefined if the account pages are not served. */
export function parsePagesConfig(given: Given, passkeys: PasskeyConfig | undefined): PagesConfig | undefined {
  const { CAPTCHA_WIDGET: widget, CAPTCHA_SITE_KEY: siteKey } = given
  const url = accountPagesUrl(given)
  if (url === undefined) return undefined
  return {
    url,
    names: { ar: given.PAGES_NAME_AR, en: given.PAGES_NAME_EN },
    logo: given.PAGES_LOGO,
    theme: given.PAGES_THEME,
    returnOrigins: given.PAGES_RETURN_ORIGINS ?? [],
    challenge: widget === undefined || siteKey === undefined ? undefined : { widget, siteKey },
    passkeyOrigins: passkeys?.origins ?? [],
  }
}

/** Returns the URL of the account pages; undefined if they are not served. */
export function accountPagesUrl(given: Given): string | undefined {
  const { PAGES = given.NODE_ENV === 'development' ? 'on' : 'off' } = given
  if (PAGES === 'off') return undefined
  const { PUBLIC_URL: url = `http://localhost:${given.PORT}` } = given
  return `${url.replace(/\/+$/, '')}/account/`
}

function pageName<Name extends string>(language: string, name: Name): ReturnType<typeof text<Name>> {
  return text({
    about: `Name of your platform on the account pages in ${language}.`,
    accepts: 'a text of at most 60 characters',
    default: name,
    pattern: String.raw`^[^\u0000-\u001f\u007f]{1,60}$`,
  })
}
