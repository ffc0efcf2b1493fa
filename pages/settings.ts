// What the operator has set, which the service writes into the page.
import type { Language } from '@tawthiq/sdk'
import { isSupported } from '@tawthiq/sdk/passkeys'
import { byId } from './dom.ts'

type Settings = {
  names: Record<Language, string>
  /** The path of the logo */
  logo?: string
  returnOrigins: string[]
  challenge?: { widget: 'turnstile' | 'hcaptcha'; siteKey: string }
  /** May have any port: http://localhost:* */
  passkeyOrigins: string[]
}

export const settings = JSON.parse(byId('settings').textContent) as Settings

/** Whether passkeys can be used here. */
export const hasPasskeys =
  isSupported() &&
  [location.origin, location.origin.replace(/:\d+$/, ':*')].some((each) => settings.passkeyOrigins.includes(each))

/** The URL of the service, one directory above the pages */
export const serviceUrl = new URL('..', location.href).href.replace(/\/$/, '')

const RETURN_LENGTH_MAX = 2000

/** Returns where `?return_to=` leads: to a path of this origin, or to an origin that the operator has listed. */
export function returnAddress(): string | undefined {
  const given = new URLSearchParams(location.search).get('return_to') ?? ''
  if (
    given.length > RETURN_LENGTH_MAX ||
    !/^(https?:\/\/|\/(?![/\\]))/.test(given) ||
    !URL.canParse(given, location.href)
  )
    return undefined
  const { origin, href } = new URL(given, location.href)
  return origin === location.origin || settings.returnOrigins.includes(origin) ? href : undefined
}
