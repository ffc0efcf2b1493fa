import { createConfig, lint as redocly, loadConfig, type Config } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** What makes the sources unreadable for an editor of OpenAPI. The full rules apply to the published document only. */
const RULES_OF_SOURCES = {
  struct: 'error',
  'no-unresolved-refs': 'error',
  'no-invalid-schema-examples': 'error',
} as const

/**
 * Returns all problems of the sources and the documents, including warnings and hints. .spectral.yaml lists the exceptions. The
 * OpenAPI 3.0 document, whose descriptions and security are those of the 3.1 document, is checked for validity alone.
 */
export async function lint(): Promise<string[]> {
  const config = await loadConfig({ configPath: 'openapi/redocly.yaml' })
  const found = await Promise.all([
    byRedocly('openapi/openapi.yaml', await createConfig({ rules: RULES_OF_SOURCES })),
    byRedocly('generated/openapi.json', config),
    bySchema('generated/openapi.json'),
    bySpectral('generated/openapi.json'),
    byRedocly('generated/openapi-3.0.json', config),
    bySchema('generated/openapi-3.0.json'),
  ])
  return found.flat()
}

async function byRedocly(ref: string, config: Config): Promise<string[]> {
  const problems = await redocly({ ref, config })
  return problems.map(({ ruleId, message, location: [place] }) => {
    const file = place?.source.absoluteRef.replace(`${process.cwd()}/`, '') ?? ref
    return `redocly ${ruleId}: ${message} (${file} ${place?.pointer ?? ''})`
  })
}

async function bySpectral(path: string): Promise<string[]> {
  const args = ['lint', path, '--ruleset', '.spectral.yaml', '--format', 'json', '--fail-severity', 'hint', '--quiet']
  const output = await promisify(execFile)('node_modules/.bin/spectral', args).catch((failure: unknown) => failure)
  const { stdout = '', stderr = '' } = output as { stdout?: string; stderr?: string }
  const start = stdout.indexOf('[')
  if (start < 0) return [`spectral says nothing: ${stderr || String(output)}`]
  const problems = JSON.parse(stdout.slice(start)) as { code: string; message: string; path: string[] }[]
  return problems.map(({ code, message, path: at }) => `spectral ${code}: ${message} (${at.join('/')})`)
}

async function bySchema(path: string): Promise<string[]> {
  const { valid, errors } = await new Validator().validate(path)
  return valid ? [] : [`openapi-schema-validator: ${JSON.stringify(errors)}`]
}
