import { Environment } from '../environment.ts'
import { isCountryProviders } from '../sms/providers.ts'
import { secretFileVariable } from './secrets.ts'

/** What becomes of unknown settings that are only reported in this version */
export const NEXT_VERSION = 'the next minor version does not start with it'

/** Only the service has variables that begin with these words. Others, such as OTEL_, belong to other software as well. */
const OWN_NAMES =
  /^(DATABASE|REDIS|KEYS|BCRYPT|SMS|SMTP|MAIL|S3|TWILIO|UNIFONIC|TAQNYAT|CAPTCHA|EVENTS|UPLOADS|FILES|PASSWORD|EMAIL|TOKEN|MANAGEMENT|SHUTDOWN|AUDIT|NATIONAL|CORS|TRUST)_/
/** Kubernetes sets these for each of its services, such as REDIS_SERVICE_HOST. */
const SERVICE_LINKS = /_(SERVICE_(HOST|PORT(_\w+)?)|PORT(_\d+_(TCP|UDP)(_\w+)?)?)$/

/** Lists variables that look like those of the service but are not known, and are ignored. */
export function unknownVariableWarnings(variables: Readonly<Record<string, string | undefined>>): string[] {
  const names = Object.keys(Environment.properties)
  const known = new Set(names.flatMap((name) => [name, secretFileVariable(name) ?? name]))
  const isUnknown = (name: string): boolean =>
    OWN_NAMES.test(name) && !known.has(name) && !SERVICE_LINKS.test(name) && !isCountryProviders(name)
  return Object.keys(variables).filter((name) => variables[name]?.trim() && isUnknown(name)).map((name) =>
    `${name} is not a known variable and is ignored. Remove it, see docs/configuration.md: ${NEXT_VERSION}.`) // prettier-ignore
}
