import { distance } from 'fastest-levenshtein'
import { Environment } from './environment.ts'

/** Names up to this length resemble many unrelated ones: KEYS and KEY, PORT and POST. */
const SHORT = 6

/**
 * Lists variables whose names look like a misspelled variable that is not set, for example `DATABSE_URL`. Without this check
 * the service would silently use the default.
 */
export function nearMisses(variables: Readonly<Record<string, string | undefined>>): string[] {
  const ours = Object.keys(Environment.properties)
  const free = ours.filter((name) => !variables[name])
  return Object.keys(variables)
    .filter((name) => !ours.includes(name))
    .flatMap((name) => {
      const meant = free.find((own) => isMisspelling(name.toUpperCase(), own))
      return meant === undefined ? [] : [`${name} is not a known variable. Did you mean ${meant}?`]
    })
}

/** Returns whether two letters are swapped, or at most two differ in a long name. */
function isMisspelling(name: string, own: string): boolean {
  const wrong = distance(name, own)
  return wrong <= 2 && (own.length > SHORT || sorted(name) === sorted(own))
}

function sorted(name: string): string {
  return [...name].sort().join('')
}
