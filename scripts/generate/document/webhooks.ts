import type { Language } from '../../../src/messages/index.ts'
import type { Document } from './openapi.ts'
import { WORDS } from './words.ts'

/** Writes out what all webhooks share, beside what each says of itself. */
export function writeOutWebhooks(
  { webhooks, 'x-tawthiq-of-every-webhook': shared }: Document,
  language: Language,
): void {
  if (!shared) throw new Error('the document does not say what webhooks share')
  const parameters = shared.parameters.map((name) => ({ $ref: `#/components/parameters/${name}` }))
  for (const { post } of Object.values(webhooks)) {
    const requestBody = { required: true, description: WORDS[language].event, ...post.requestBody }
    Object.assign(post, structuredClone({ ...shared, parameters, requestBody }))
  }
}
