// E-mails that verify an address, and e-mails that cancel or undo a change of address.
import { clientForm } from './profile-forms.ts'
import { mailsTo } from './resets.ts'
import type { Received } from '../service/responses.ts'
import type { Person, World } from '../service/world.ts'

const TOKEN = /^[\w-]{43}$/gm

/** The subjects of the messages that contain tokens */
export const SUBJECTS = {
  verify: 'Confirm your e-mail address',
  newEmail: 'Confirm your new e-mail address',
  change: 'A change of your e-mail address was requested',
  changed: 'Your e-mail address was changed',
  undone: 'Changes of your account were undone',
  reset: 'Set a new password',
} as const

export type Verification = { token: string; code: string }

/** Returns the token and the code of the last verification message to an address. */
export async function verificationTo(world: World, address: string): Promise<Verification> {
  const mails = await mailsTo(world, address)
  const mail = mails.find(({ subject }) => subject === SUBJECTS.verify || subject === SUBJECTS.newEmail)
  return { token: mail?.text.match(TOKEN)?.[0] ?? '', code: /\b\d{6}\b/.exec(mail?.text ?? '')?.[0] ?? '' }
}

/** Returns the tokens in the last message to an address with a subject, in order. */
export async function tokensTo(world: World, address: string, subject: string): Promise<string[]> {
  const mail = (await mailsTo(world, address)).find((each) => each.subject === subject && TOKEN.test(each.text))
  TOKEN.lastIndex = 0
  return [...(mail?.text.match(TOKEN) ?? [])]
}

let changes = 0

/** Returns an e-mail address that no account has. */
export function newAddress(): string {
  return `changed-${++changes}-${process.pid}@example.org`
}

/** Updates the profile of a person with a new e-mail address. */
export function putEmail(world: World, { phone }: Person, token: string, email: string): Promise<Received> {
  return world.send('updateProfile')({ token, form: clientForm({ email, phone }) })
}

export type PendingChange = {
  person: Person
  bearer: string
  email: string
  verification: Verification
  cancel: string
}

/** Requests a change of a verified address. Returns the person and the tokens of the messages. */
export async function pendingChange(world: World): Promise<PendingChange> {
  const person = await world.person({ isEmailVerified: true })
  const [bearer, email] = [await person.token(), newAddress()]
  await putEmail(world, person, bearer, email)
  const verification = await verificationTo(world, email)
  const [cancel = ''] = await tokensTo(world, person.email, SUBJECTS.change)
  return { person, bearer, email, verification, cancel }
}

export type ConfirmedChange = PendingChange & { undo: string; consent: string }

/** Requests and confirms a change of address. */
export async function confirmedChange(world: World): Promise<ConfirmedChange> {
  return confirm(world, await pendingChange(world))
}

async function confirm(world: World, pending: PendingChange): Promise<ConfirmedChange> {
  await world.send('confirmEmail')({ token: pending.bearer, json: { by: 'token', token: pending.verification.token } })
  const [undo = '', consent = ''] = await tokensTo(world, pending.person.email, SUBJECTS.changed)
  return { ...pending, undo, consent }
}

/**
 * Changes the address of a person twice, which was verified long before. The first new address can reset the password, so it
 * receives `next`, which undoes the second change.
 */
export async function changedTwice(world: World): Promise<ConfirmedChange & { next: string }> {
  const pending = await pendingChange(world)
  const verified = new Date(Date.now() - 30 * 86_400_000)
  const { prisma } = world.service.database
  const where = { id: pending.person.id }
  await prisma.account.update({ where, data: { emailVerifiedAt: verified, phoneVerifiedAt: verified } })
  const first = await confirm(world, pending)
  const last = newAddress()
  await prisma.account.update({ where, data: { emailRecoversFrom: new Date() } })
  world.wait(60_000)
  await putEmail(world, first.person, first.bearer, last)
  const { token } = await verificationTo(world, last)
  await world.send('confirmEmail')({ token: first.bearer, json: { by: 'token', token } })
  const [next = ''] = await tokensTo(world, first.email, SUBJECTS.changed)
  return { ...first, next }
}

/** Returns the stored columns about the e-mail address of an account. */
export function storedEmail({ service }: World, id: number): Promise<StoredEmail> {
  return service.database.prisma.account.findUniqueOrThrow({
    where: { id },
    select: { email: true, pendingEmail: true, emailVerifiedAt: true, emailRecoversFrom: true, emailChangedAt: true },
  })
}

type StoredEmail = {
  email: string
  pendingEmail: string | null
  emailVerifiedAt: Date | null
  emailRecoversFrom: Date | null
  emailChangedAt: Date | null
}
