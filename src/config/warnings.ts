import type { Environment } from './environment.ts'
import { unknownVariableWarnings } from './names/unknown-variables.ts'
import { unknownParameterWarnings } from './names/url-parameters.ts'

/** The pages that e-mails link to, and what an e-mail has in their place */
const PAGES = ['PASSWORD_RESET_URL', 'EMAIL_CONFIRMATION_URL', 'FACTOR_RESET_URL'] as const

/** Lists what the service ignores, or does with less than it could. It starts nevertheless. */
export function listWarnings(given: Environment, variables: Readonly<Record<string, string | undefined>>): string[] {
  return [...unknownVariableWarnings(variables), ...unknownParameterWarnings(given), ...missingPages(given)]
}

function missingPages(given: Environment): string[] {
  if (given.NODE_ENV !== 'production' || given.SMTP_URL === undefined) return []
  return PAGES.filter((name) => given[name] === undefined).map(
    (name) => `${name} is not set: e-mails contain a token without a link. Set it to the URL of your page.`,
  )
}
