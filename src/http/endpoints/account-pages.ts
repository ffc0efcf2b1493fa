// The account pages: what the build has made of pages/, with the settings, the theme and the logo of the operator.
import { readFileSync } from 'node:fs'
import type { Language } from '../../messages/index.ts'
import { StartupError } from '../../lib/startup-error.ts'
import { encodingTags } from '../reply/encodings.ts'
import { ACCOUNT, siteFileAt, type SiteFile } from './site.ts'

const THEME = 'theme.css'
const THEME_BYTES_MAX = 32 * 1024
const LOGO_BYTES_MAX = 64 * 1024
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/** What loads something, or hides that it does */
const LOADS = /@(?!media\b)|[\\<]|(?:url|src|image|image-set)\(/i

/** What the widgets of challenges load, of which only Turnstile needs neither styles nor requests of its own */
const WIDGETS = {
  turnstile: ['https://challenges.cloudflare.com', ['script-src', 'frame-src']],
  hcaptcha: ['https://hcaptcha.com https://*.hcaptcha.com', ['script-src', 'frame-src', 'style-src', 'connect-src']],
} as const

/** What the operator sets of the account pages */
export type PagesOptions = Readonly<{
  names: Readonly<Record<Language, string>>
  /** Paths of files */
  logo: string | undefined
  theme: string | undefined
  returnOrigins: readonly string[]
  challenge: Readonly<{ widget: keyof typeof WIDGETS; siteKey: string }> | undefined
  passkeyOrigins: readonly string[]
}>

const POLICY = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' blob: data:",
  'connect-src': "'self'",
  'frame-src': "'none'",
  'frame-ancestors': "'none'",
  'base-uri': "'none'",
  'form-action': "'none'",
}
/** No text of a user or of the operator becomes a script, whatever the pages do with it. Widgets do not support it. */
const TRUSTED_TYPES = "; require-trusted-types-for 'script'; trusted-types 'none'"
/** A logo that a browser opens as a page of its own has no scripts. */
const LOGO_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

/**
 * Returns the files of the account pages, of which the page itself has the settings.
 *
 * @throws StartupError if the theme or the logo is missing, too large, or may load something else
 */
export function accountPages(config: PagesOptions, files: readonly SiteFile[]): SiteFile[] {
  const built = files.filter(({ path }) => path.startsWith(ACCOUNT))
  const logo = config.logo === undefined ? undefined : readLogo(config.logo)
  const theme = config.theme === undefined ? undefined : readTheme(config.theme)
  return [
    ...built.map((file) => (file.type.startsWith('text/html') ? pageOf(file, config, { logo, theme }) : file)),
    ...[logo, theme].flatMap((file) => file ?? []),
  ]
}

type Own = Readonly<Record<'logo' | 'theme', SiteFile | undefined>>

function pageOf(file: SiteFile, options: PagesOptions, { logo, theme }: Own): SiteFile {
  const { names, returnOrigins, challenge, passkeyOrigins } = options
  const shown = { names, returnOrigins, challenge, passkeyOrigins, logo: logo?.path.slice(ACCOUNT.length) }
  const settings = JSON.stringify(shown).replaceAll('<', '\\u003c')
  const style = theme ? `<link rel="stylesheet" href="${THEME}" />` : ''
  const text = readFileSync(siteFileAt(file.path), 'utf8')
  const page = text.replace('{}', () => settings).replace('</head>', () => `${style}</head>`)
  return ownFile(file.path, file.type, Buffer.from(page), policyFor(challenge))
}

function policyFor(challenge: PagesOptions['challenge']): string {
  const [host, directives] = challenge ? WIDGETS[challenge.widget] : ['', []]
  const lines = Object.entries(POLICY).map(([name, sources]) => {
    if (!directives.some((each) => each === name)) return `${name} ${sources}`
    return `${name} ${sources === "'none'" ? '' : `${sources} `}${host}`
  })
  return lines.join('; ') + (challenge ? '' : TRUSTED_TYPES)
}

function readTheme(path: string): SiteFile {
  const body = readOwn('PAGES_THEME', path, THEME_BYTES_MAX)
  const text = body.toString().replaceAll(/\/\*.*?\*\//gs, '')
  const declarations = [...text.matchAll(/\{([^{}]*)\}/g)].flatMap(([, block = '']) => block.split(';'))
  if (LOADS.test(text) || declarations.some((each) => !/^\s*(--|$)/.test(each)))
    throw new StartupError(
      `PAGES_THEME: ${path} may only set custom properties, without url(), such as ":root { --brand: #0f6b5c; }".`,
    )
  return ownFile(ACCOUNT + THEME, 'text/css; charset=utf-8', body)
}

function readLogo(path: string): SiteFile {
  const body = readOwn('PAGES_LOGO', path, LOGO_BYTES_MAX)
  if (body.subarray(0, PNG.length).equals(PNG)) return ownFile(`${ACCOUNT}logo.png`, 'image/png', body, LOGO_POLICY)
  if (/^\s*<(\?xml|!--|!doctype svg|svg)/i.test(body.toString()) && body.includes('<svg'))
    return ownFile(`${ACCOUNT}logo.svg`, 'image/svg+xml', body, LOGO_POLICY)
  throw new StartupError(`PAGES_LOGO: ${path} is neither SVG nor PNG.`)
}

function readOwn(name: string, path: string, bytesMax: number): Buffer {
  try {
    const body = readFileSync(path)
    if (body.length <= bytesMax) return body
    throw new StartupError(`${name}: ${path} is larger than ${bytesMax / 1024} kB.`)
  } catch (error) {
    if (error instanceof StartupError) throw error
    throw new StartupError(`${name}: ${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`)
  }
}

function ownFile(path: string, type: string, body: Buffer, policy?: string): SiteFile {
  return { path, type, isHashed: false, tags: encodingTags(body, ['identity']), contents: { identity: body }, policy }
}
