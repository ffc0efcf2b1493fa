import { newProfile } from '../bench/requests.ts'
import { newPhoto, photoPathOf, profileForm } from '../faults/forms.ts'
import type { Instance } from '../faults/instances.ts'
import { send } from '../faults/send.ts'
import type { Site } from './requests.ts'

export const RECEIPT_SECRET = `whsec_${Buffer.alloc(32, 'cuts').toString('base64')}`

/** Registers accounts for the requests to an instance: one that changes its profile, and one whose photo is read. */
export async function openSite({ origin, management }: Instance): Promise<Site> {
  const [account, framed] = [await newProfile(origin, 'client'), await newProfile(origin, 'client')]
  const { bytes } = await newPhoto()
  const stored = await send(`${origin}/api/v1/profile`, {
    method: 'PUT',
    token: framed.token,
    form: profileForm(framed, bytes),
  })
  if (stored.status !== 200) throw new Error(`a photo was rejected with ${stored.status}`)
  return {
    origin,
    management,
    token: account.token,
    form: [...profileForm(account, bytes)] as [string, string | Blob][],
    filePath: photoPathOf(stored.data),
    receiptSecret: RECEIPT_SECRET,
  }
}
