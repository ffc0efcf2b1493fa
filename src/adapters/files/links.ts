import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { LIMITS } from '../../../generated/limits.ts'
import { bindings } from '../../../generated/operations.ts'
import type { Clock } from '../../domain/clock.ts'
import { isConfidential, type StoredFile } from '../../domain/files/file.ts'
import type { Secrets } from '../keys/index.ts'

export type FileLinks = {
  /**
   * Returns a link that reads a file without a token until it expires. The link of a confidential file requires a
   * token.
   */
  linkTo(file: Pick<StoredFile, 'id' | 'kind'>): string
  isValid(id: string, link: { expires: number; signature: string }): boolean
}

const LIFE_SECONDS = LIMITS.files.link_minutes * 60
/** Links of a file stay the same for this long, so that browsers can use their cache. */
const STEP_SECONDS = 300
const LABEL = 'tawthiq file links, version 1'

/** @param secrets the secrets that the signing keys are derived from */
export function signedLinks(secrets: Secrets, clock: Clock): FileLinks {
  const [signing, ...others] = secrets.map((secret) => Buffer.from(hkdfSync('sha256', secret, '', LABEL, 32)))
  if (!signing) throw new Error('no key for file links is configured')
  const sign = (id: string, expires: number, key = signing): string =>
    createHmac('sha256', key).update(`${id} ${expires}`).digest('base64url')

  return {
    linkTo({ id, kind }) {
      const path = bindings.getFile.path.replace('{file_id}', id)
      if (isConfidential(kind)) return path
      const expires = Math.floor(clock.nowMs() / 1000 / STEP_SECONDS) * STEP_SECONDS + LIFE_SECONDS
      return `${path}?expires=${expires}&signature=${sign(id, expires)}`
    },
    isValid(id, { expires, signature }) {
      const given = Buffer.from(signature)
      const isSigned = [signing, ...others].some((key) => {
        const expected = Buffer.from(sign(id, expires, key))
        return given.length === expected.length && timingSafeEqual(given, expected)
      })
      return isSigned && expires * 1000 > clock.nowMs()
    },
  }
}
