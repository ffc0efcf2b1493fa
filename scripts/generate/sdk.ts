// The generated parts of the TypeScript SDK. They come from the published document alone.
import { withBanner } from './code.ts'
import { keepForClients } from './document/for-clients.ts'
import type { Document } from './document/openapi.ts'
import { renderCodes, SUBJECTS } from './sdk/codes.ts'
import { renderFields } from './sdk/fields.ts'
import { renderOperations, renderOperationsOf } from './sdk/operations.ts'
import { renderTypes } from './types.ts'

/** Returns the text of each generated file of the SDK, by its path. Operations of other systems than clients are left out. */
export async function generateSdk(published: Document): Promise<Record<string, string>> {
  const document = keepForClients(published)
  return withBanner('sdk/src/generated', {
    'types.ts': `import type { Upload } from '../upload.ts'\n\n${await renderTypes(document)}`,
    'operations.ts': renderOperations(document),
    ...Object.fromEntries(SUBJECTS.map((each) => [`${each}-operations.ts`, renderOperationsOf(document, each)])),
    'codes.ts': renderCodes(document),
    // by which unknown types of events are recognized
    'events.ts': `export const EVENT_TYPES: readonly string[] = ${JSON.stringify(Object.keys(document.webhooks))}\n`,
    'fields.ts': renderFields(document),
  })
}
