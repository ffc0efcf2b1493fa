import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { LIMITS } from '../../../generated/limits.ts'
import { bindings } from '../../../generated/operations.ts'
import type { Clock } from '../../domain/clock.ts'
import { isConfidential, type StoredFile } from '../../domain/file.ts'
import type { Secrets } from '../keys.ts'

export type FileLinks = {
  /** A link that reads a file without a token for a while. A confidential file has one that needs a token. */
  linkTo(file: Pick<StoredFile, 'id' | 'kind'>): string
  isGood(id: string, link: { expires: number; signature: string }): boolean
}

const LIFE_SECONDS = LIMITS.files.link_minutes * 60
/** Links of one file are the same for so long, so that browsers find in their cache what they have read. */
const STEP_SECONDS = 300
const LABEL = 'tawthiq file links, version 1'

/** @param secrets what only this service has; the keys of the links are derived from it */
export function signedLinks(secrets: Secrets, clock: Clock): FileLinks {
  const [signing, ...others] = secrets.map((secret) => Buffer.from(hkdfSync('sha256', secret, '', LABEL, 32)))
  if (!signing) throw new Error('there is no key for links')
  const signatureOf = (id: string, expires: number, key = signing): string =>
    createHmac('sha256', key).update(`${id} ${expires}`).digest('base64url')

  return {
    linkTo({ id, kind }) {
      const path = bindings.getFile.path.replace('{file_id}', id)
      if (isConfidential(kind)) return path
      const expires = Math.floor(clock.nowMs() / 1000 / STEP_SECONDS) * STEP_SECONDS + LIFE_SECONDS
      return `${path}?expires=${expires}&signature=${signatureOf(id, expires)}`
    },
    isGood(id, { expires, signature }) {
      const given = Buffer.from(signature)
      const isOurs = [signing, ...others].some((key) => {
        const right = Buffer.from(signatureOf(id, expires, key))
        return given.length === right.length && timingSafeEqual(given, right)
      })
      return isOurs && expires * 1000 > clock.nowMs()
    },
  }
}
