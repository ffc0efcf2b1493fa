import { readFileSync } from 'node:fs'
import { aboutVariable, VARIABLE_NAMES, type VariableName, type Variables } from '../environment.ts'

/** Returns the variable that names a file with the value of a secret; undefined for other variables. */
export function secretFileVariable(name: VariableName): string | undefined {
  // `KEYS` has a file of its own kind, `KEYS_FILE`
  return aboutVariable(name).isSecret && name !== 'KEYS' ? `${name}_FILE` : undefined
}

/** Adds the values of secrets that are in files, and lists the files that cannot be used. */
export function readSecretFiles(variables: Variables): { variables: Variables; problems: string[] } {
  const problems: string[] = []
  const read = VARIABLE_NAMES.flatMap((name) => {
    const fileName = secretFileVariable(name)
    const path = fileName === undefined ? undefined : variables[fileName]?.trim()
    if (fileName === undefined || !path) return []
    if (variables[name]?.trim()) problems.push(`${name} and ${fileName} are set. Set one of them.`)
    return [[name, readSecret(fileName, path, problems)] as const]
  })
  return { variables: { ...variables, ...Object.fromEntries(read) }, problems }
}

function readSecret(name: string, path: string, problems: string[]): string | undefined {
  try {
    const text = readFileSync(path, 'utf8').trim()
    if (text === '') problems.push(`${name}: the file ${path} is empty.`)
    return text
  } catch (error) {
    problems.push(`${name}: the file ${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'}).`)
    return undefined
  }
}
