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

export const pagesConfig = (given: Given, passkeyOrigins: readonly string[]) =>
  ({
    url: accountPagesUrl(given),
    names: { ar: given.PAGES_NAME_AR, en: given.PAGES_NAME_EN },
    /** Paths of files */
    logo: given.PAGES_LOGO,
    theme: given.PAGES_THEME,
    returnOrigins: given.PAGES_RETURN_ORIGINS ?? [],
    challenge:
      given.CAPTCHA_WIDGET === undefined || given.CAPTCHA_SITE_KEY === undefined
        ? undefined
        : { widget: given.CAPTCHA_WIDGET, siteKey: given.CAPTCHA_SITE_KEY },
    /** At other origins, the pages offer no passkeys */
    passkeyOrigins,
  }) as const

/** Returns whether the account pages are served. */
export function servesPages({ NODE_ENV, PAGES = NODE_ENV === 'development' ? 'on' : 'off' }: Given): boolean {
  return PAGES === 'on'
}

/** Returns the URL of the account pages, if they are served. */
export function accountPagesUrl({ PORT, PUBLIC_URL: url = `http://localhost:${PORT}` }: Given): string {
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
