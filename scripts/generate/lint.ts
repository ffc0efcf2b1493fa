import { lint as redocly, loadConfig } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Every complaint of the whole stack, warnings and hints included; .spectral.yaml lists the exceptions. */
export async function lint(path: string): Promise<string[]> {
  const found = await Promise.all([byRedocly(path), bySpectral(path), bySchema(path)])
  return found.flat()
}

/** Checks the OpenAPI 3.0 document, whose descriptions and security are those of the 3.1 document, for validity. */
export async function lintDerived(path: string): Promise<string[]> {
  const found = await Promise.all([byRedocly(path), bySchema(path)])
  return found.flat().map((problem) => `${path}: ${problem}`)
}

async function byRedocly(ref: string): Promise<string[]> {
  const config = await loadConfig({ configPath: 'openapi/redocly.yaml' })
  const problems = await redocly({ ref, config })
  return problems.map(
    ({ ruleId, message, location }) => `redocly ${ruleId}: ${message} (${location[0]?.pointer ?? ''})`,
  )
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
