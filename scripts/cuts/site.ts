import { newPhoto } from '../load/images.ts'
import { newProfile, newProfileWithPhoto, photoPathOf } from '../load/people.ts'
import { update } from '../load/requests.ts'
import { sendValid } from '../load/send.ts'
import type { Instance } from '../load/service.ts'
import type { Site } from './requests.ts'

export const RECEIPT_SECRET = `whsec_${Buffer.alloc(32, 'cuts').toString('base64')}`

/** Registers accounts for the requests to an instance: one that changes its profile, and one whose photo is read. */
export async function openSite({ origin, management }: Instance): Promise<Site> {
  const [account, framed] = [await newProfile(origin), await newProfileWithPhoto(origin)]
  const { form = {} } = update(account, 'client', { profile_photo: (await newPhoto()).photo })
  return {
    origin,
    management,
    token: account.token,
    form: Object.entries(form) as [string, string | Blob][], // a client has no lists
    filePath: photoPathOf(await sendValid(origin, { path: '/api/v1/profile', token: framed.token })),
    receiptSecret: RECEIPT_SECRET,
  }
}
