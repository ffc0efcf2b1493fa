// Languages whose compilers are not packages of Debian: clients are generated, and not compiled.
import type { GeneratedClient, Prepared } from './client.ts'
import { openFolder } from './folder.ts'
import { findJavaProblem, generateWithJava, OPENAPI_GENERATOR_VERSION } from './openapi-generator.ts'

const GENERATORS = { swift: { name: 'Swift', generator: 'swift5' }, dart: { name: 'Dart', generator: 'dart' } } as const

type Language = keyof typeof GENERATORS

export const GENERATED_ONLY: readonly GeneratedClient[] = Object.keys(GENERATORS).map((language) => ({
  name: language,
  inCi: false,
  prepare: () => prepare(language as Language), // a key of the object
}))

async function prepare(language: Language): Promise<Prepared> {
  const { name, generator } = GENERATORS[language]
  const problem = await findJavaProblem()
  if (problem) return { name, skipped: problem }
  const folder = await openFolder(language)
  const output = await generateWithJava(folder, generator, [])
  const warnings = [...new Set(output.match(/(?<= WARN +).*$/gm))]
  return { name, version: OPENAPI_GENERATOR_VERSION, document: '3.0', warnings }
}
