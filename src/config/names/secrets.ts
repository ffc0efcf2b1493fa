import { readFileSync } from 'node:fs'
import type { Variables } from '../environment.ts'

/** Variables whose values are not printed. `KEYS` has a file of its own kind, `KEYS_FILE`. */
const SECRETS: readonly string[] = [
  'KEYS',
  'SMS_WEBHOOK_URL',
  'SMTP_URL',
  'EVENTS_WEBHOOK_URL',
  'EVENTS_WEBHOOK_SECRETS',
  'SMS_WEBHOOK_TOKEN',
  'SMS_WEBHOOKS',
  'TWILIO_AUTH_TOKEN',
  'UNIFONIC_APP_SID',
  'TAQNYAT_TOKEN',
  'SMS_WEBHOOK_RECEIPT_SECRETS',
  'UNIFONIC_RECEIPT_TOKENS',
  'TAQNYAT_RECEIPT_TOKENS',
  'SMS_TEST_NUMBERS',
  'CAPTCHA_SECRET',
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_PASSWORD',
  'REDIS_URL',
  'REDIS_PASSWORD',
  'REDIS_SENTINEL_PASSWORD',
  'S3_SECRET_ACCESS_KEY',
  'OTEL_EXPORTER_OTLP_HEADERS',
]

export function isSecret(name: string): boolean {
  return SECRETS.includes(name)
}

/** Returns the variable that names a file with the value of a secret; undefined for other variables. */
export function secretFileVariable(name: string): string | undefined {
  return isSecret(name) && name !== 'KEYS' ? `${name}_FILE` : undefined
}

/** Adds the values of secrets that are in files, and lists the files that cannot be used. */
export function readSecretFiles(variables: Variables): { variables: Variables; problems: string[] } {
  const problems: string[] = []
  const read = SECRETS.flatMap((name) => {
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
