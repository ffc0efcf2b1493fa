import { bundle, createConfig } from '@redocly/openapi-core'
import { readFile } from 'node:fs/promises'
import { parse } from 'yaml'
import type { Language } from '../../../src/messages/index.ts'
import { writeOutResponses } from './responses.ts'
import { addCodeSamples } from './code-samples.ts'
import { writeOutDeprecations } from './deprecation.ts'
import { writeOutErrorTables } from './error-tables.ts'
import { refuseUnknownExtensions, withoutSourceExtensions } from './extensions.ts'
import { listReferences } from './for-clients.ts'
import { fillIn, numberAt, type Limits } from './limits.ts'
import { readRateLimits, writeOutRateLimits, type RateLimits } from '../rate-limits.ts'
import { listOperations, mapMembers, METHODS, withoutMembers, type Document, type Schema } from './openapi.ts'
import { markPersonalData, readPersonalData, writeOutCategories } from './personal-data.ts'
import { writeOutRecentAuthentication } from './recent-authentication.ts'
import { writeOutIgnoredFields, writeOutPatches, writeOutSharedSchemas, writeOutTexts } from './schemas.ts'
import { textKinds } from './text-patterns.ts'
import { listTexts, readTranslations, translate } from './translations.ts'
import { WORDS } from './words.ts'

export type Sources = {
  document: Document
  limits: Limits
  rateLimits: RateLimits
  /** The English texts that openapi/ar translates */
  texts: string[]
}

/**
 * Reads openapi/ as one document, with `{{limits}}` filled in and everything written out that the sources leave to the
 * generator. `publish` makes the published document of it. In Arabic, texts without a translation remain English.
 */
export async function readDocument(folder = 'openapi', language: Language = 'en'): Promise<Sources> {
  const ref = `${folder}/openapi.yaml`
  const limits = parse(await readFile(`${folder}/limits.yaml`, 'utf8')) as Limits
  const rateLimits = await readRateLimits(limits, folder)
  const config = await createConfig({})
  const { bundle: bundled, problems } = await bundle({ ref, config, componentRenamingConflicts: 'error' })
  const errors = problems.filter(({ severity }) => severity === 'error')
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'))

  refuseUnknownExtensions(bundled.parsed)
  const english = structuredClone(bundled.parsed) as Document
  const source = language === 'ar' ? translate(english, await readTranslations(`${folder}/ar`)) : english
  writeOutRateLimits(source, rateLimits, language)
  const personalData = readPersonalData(folder)
  writeOutCategories(source, personalData, language)
  const document = fillIn(source, limits, language) as Document
  writeOut(document, limits, language)
  markPersonalData(document, personalData)
  return { document, limits, rateLimits, texts: listTexts(bundled.parsed as Document) }
}

function writeOut(document: Document, limits: Limits, language: Language): void {
  writeOutSharedSchemas(document)
  writeOutTexts(document, textKinds(numberAt('otp.digits', limits)))
  writeOutIgnoredFields(document)
  writeOutPatches(document, language)
  writeOutRecentAuthentication(document, language)
  writeOutErrorTables(document, language)
  writeOutResponses(document, language)
  writeOutDeprecations(document, language)
  writeOutWebhooks(document, language)
  mergePathParameters(document)
  addCodeSamples(document)
}

/** Writes out what all webhooks share, beside what each says of itself. */
function writeOutWebhooks({ webhooks, 'x-tawthiq-of-every-webhook': shared }: Document, language: Language): void {
  if (!shared) throw new Error('the document does not say what webhooks share')
  const parameters = shared.parameters.map((name) => ({ $ref: `#/components/parameters/${name}` }))
  for (const { post } of Object.values(webhooks)) {
    const requestBody = { required: true, description: WORDS[language].event, ...post.requestBody }
    Object.assign(post, structuredClone({ ...shared, parameters, requestBody }))
  }
}

/** fastify-openapi-glue does not see parameters of a path. */
function mergePathParameters(document: Document): void {
  const sharedParameters = document['x-tawthiq-of-every-operation'] ?? []
  const references = sharedParameters.map((name) => ({ $ref: `#/components/parameters/${name}` }))
  for (const item of Object.values(document.paths)) {
    const shared = item.parameters ?? []
    delete item.parameters
    for (const method of METHODS) {
      const operation = item[method]
      if (operation) operation.parameters = [...shared, ...(operation.parameters ?? []), ...references]
    }
  }
}

/**
 * Returns the document as it is published: without the extensions that only the generator reads, and with open responses
 * and webhooks, because members can be added to them. Requests are closed, and the server closes its responses when it
 * validates them.
 */
export function publish(document: Document): Document {
  const published = withoutSourceExtensions(document) as Document
  const { components, webhooks } = published
  const bodies = listOperations(document).map(({ requestBody }) => requestBody)
  const requested = listReferences(document, bodies)
  const schemas = mapMembers(components.schemas, (schema, name) =>
    requested.has(`schemas/${name}`) ? schema : (opened(schema) as Schema),
  )
  return { ...published, webhooks: opened(webhooks) as Document['webhooks'], components: { ...components, schemas } }
}

function opened(node: unknown): unknown {
  return withoutMembers(node, (key, value) => key === 'additionalProperties' && value === false)
}
