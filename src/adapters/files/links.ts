import { createHmac } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { LIMITS } from '../../../generated/limits.ts'
import { bindings } from '../../../generated/operations.ts'
import type { Clock } from '../../domain/clock.ts'
import { isConfidential, type StoredFile } from '../../domain/files/file.ts'
import type { Secrets } from '../keys/index.ts'
import { deriveKeys, isSame } from '../keys/keyed-hash.ts'

/** The query parameters of a link. `session` is that of a link to a confidential file. */
type FileLink = Readonly<{ expires: number; signature: string; session?: string | undefined }>

export type FileLinks = {
  /**
   * Returns a link that reads a file without a token until it expires. The link of a confidential file is bound to the
   * session that it is made for, and ends with it.
   */
  linkTo(file: Pick<StoredFile, 'id' | 'kind'>, sessionId: string): string
  isValid(id: string, link: FileLink): boolean
}

const LIFE_SECONDS = LIMITS.files.link_minutes * 60
/** Links of a file stay the same for this long, so that browsers can use their cache, and end up to this much earlier. */
const STEP_SECONDS = 300
/** Signatures of the present step that are remembered, because people read a profile several times */
const SIGNATURES_MAX = 10_000
const LABEL = 'tawthiq file links, version 1'

export function signedLinks(secrets: Secrets, clock: Clock): FileLinks {
  const keys = deriveKeys(secrets, LABEL)
  const sign = (text: string, key = keys[0]): string => createHmac('sha256', key).update(text).digest('base64url')
  const signed = new LRUCache<string, string>({ max: SIGNATURES_MAX, memoMethod: (text) => sign(text) })

  return {
    linkTo({ id, kind }, sessionId) {
      const path = bindings.getFile.path.replace('{file_id}', id)
      const session = isConfidential(kind) ? sessionId : undefined
      const expires = Math.floor(clock.nowMs() / 1000 / STEP_SECONDS) * STEP_SECONDS + LIFE_SECONDS
      const signature = signed.memo(signedText(id, expires, session))
      return `${path}?expires=${expires}&signature=${signature}${session === undefined ? '' : `&session=${session}`}`
    },
    isValid(id, { expires, signature, session }) {
      const text = signedText(id, expires, session)
      const isSigned = keys.some((key) => isSame(signature, sign(text, key)))
      return isSigned && expires * 1000 > clock.nowMs()
    },
  }
}

function signedText(id: string, expires: number, session: string | undefined): string {
  return session === undefined ? `${id} ${expires}` : `${id} ${expires} ${session}`
}
