// The generated parts of the TypeScript SDK. They come from the published document alone.
import { BANNER } from './code.ts'
import { keepForClients } from './document/for-clients.ts'
import type { Document } from './document/openapi.ts'
import { renderCodes } from './sdk/codes.ts'
import { renderFields } from './sdk/fields.ts'
import { SUBJECTS } from './sdk/subjects.ts'
import { renderOperations, renderOperationsOf } from './sdk/operations.ts'
import { renderTypes } from './types.ts'

const FOLDER = 'sdk/src/generated'

/** Returns the text of each generated file of the SDK, by its path. Operations of other systems than clients are left out. */
export async function generateSdk(published: Document): Promise<Record<string, string>> {
  const document = keepForClients(published)
  const texts = {
    'types.ts': `import type { Upload } from '../upload.ts'\n\n${await renderTypes(document)}`,
    'operations.ts': renderOperations(document),
    ...Object.fromEntries(SUBJECTS.map((each) => [`${each}-operations.ts`, renderOperationsOf(document, each)])),
    'codes.ts': renderCodes(document),
    'events.ts': renderEvents(document),
    'fields.ts': renderFields(document),
  }
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [`${FOLDER}/${name}`, BANNER + text]))
}

/** Returns the types of events, by which unknown ones are recognized. */
function renderEvents({ webhooks }: Document): string {
  return `export const EVENT_TYPES: readonly string[] = ${JSON.stringify(Object.keys(webhooks))}\n`
}
