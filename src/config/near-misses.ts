import { distance } from 'fastest-levenshtein'
import { Environment } from './environment.ts'

/** Short names have many innocent neighbours, such as KEY and POST. */
const SHORT = 6

/**
 * Variables that look like one of ours that is not set, for example `DATABSE_URL`: left alone, the service would run
 * with a default where its operator believes to have chosen.
 */
export function nearMisses(variables: Readonly<Record<string, string | undefined>>): string[] {
  const ours = Object.keys(Environment.properties)
  const free = ours.filter((name) => !variables[name])
  return Object.keys(variables)
    .filter((name) => !ours.includes(name))
    .flatMap((name) => {
      const meant = free.find((own) => isMisspelling(name.toUpperCase(), own))
      return meant === undefined ? [] : [`${name} is not a variable of this service. Is ${meant} meant?`]
    })
}

/** Two letters that changed places, or up to two that are wrong in a long name. */
function isMisspelling(name: string, own: string): boolean {
  const wrong = distance(name, own)
  return wrong <= 2 && (own.length > SHORT || sorted(name) === sorted(own))
}

function sorted(name: string): string {
  return [...name].sort().join('')
}
