// Password reset messages.
import { setTimeout as sleep } from 'node:timers/promises'
import { ar } from '../../../src/messages/notices/ar.ts'
import { en } from '../../../src/messages/notices/en.ts'
import type { Person, World } from '../service/world.ts'

const WAIT_MS_MAX = 20_000
const LOOK_MS = 5

/** Waits for background tasks and e-mails. Returns the e-mails to an address, newest first. */
export async function mailsTo(world: World, address: string): Promise<{ subject?: string; text: string }[]> {
  await settled(world)
  await allSent(world)
  return (world.service.app.outbox?.messages ?? []).filter(({ to }) => to === address)
}

const VERIFICATION_CODE = /(?<![\w-])\d{6}(?![\w-])/

const RESET_SUBJECTS: readonly (string | undefined)[] = [
  ...[ar.reset_mail_subject, ar.claim_mail_subject],
  ...[en.reset_mail_subject, en.claim_mail_subject],
]

/** Returns the token in the last e-mail to an address, apart from those that verify it: they can be delivered at the same time. */
export async function tokenFor(
  world: World,
  address: string,
  isMeant = ({ text }: { subject?: string; text: string }) => !VERIFICATION_CODE.test(text),
): Promise<string> {
  const mail = (await mailsTo(world, address)).find(isMeant)
  return /^[\w-]{43}$/m.exec(mail?.text ?? '')?.[0] ?? ''
}

/** Returns the token of the last e-mail that resets a password: earlier notices can be delivered after it. */
export function resetTokenFor(world: World, address: string): Promise<string> {
  return tokenFor(world, address, ({ subject }) => RESET_SUBJECTS.includes(subject))
}

/** Returns the code in the last SMS to a number. */
export async function codeFor(world: World, phone: string): Promise<string> {
  await settled(world)
  return world.codesTo(phone)[0] ?? ''
}

/** Waits until no e-mail is waiting, also one that another instance or a poll is sending. */
async function allSent({ service }: World): Promise<void> {
  const { deliverMails, context } = service.app
  const endMs = Date.now() + WAIT_MS_MAX
  const count = async (): Promise<number> => (await context.store.monitoring.status()).backlogs.mails.items
  while ((await count()) > 0 && Date.now() < endMs) {
    await deliverMails()
    await sleep(LOOK_MS)
  }
}

export async function settled({ service }: World): Promise<void> {
  await service.app.context.background.settle(WAIT_MS_MAX)
}

const LINK_MS = 600_000
/** Longer than the waiting period of a new identifier */
const LONG_AGO_MS = 30 * 86_400_000

/** Adds an account whose address and number were verified long before. */
export async function establishedPerson(world: World): Promise<Person> {
  const person = await world.person()
  const verified = new Date(Date.now() - LONG_AGO_MS)
  const data = { emailVerifiedAt: verified, emailRecoversFrom: verified, phoneVerifiedAt: verified }
  await world.service.database.prisma.account.update({
    where: { id: person.id },
    data: { ...data, phoneRecoversFrom: verified },
  })
  return person
}

/** Resets the password of a person. Returns the status. */
export const resetBy = {
  password: 'olive3kayak',
  async phone(world: World, { phone }: Person): Promise<number> {
    const number = { phone, phone_code: '966' }
    await world.send('requestPasswordReset')({ json: { by: 'phone', ...number } })
    const json = { by: 'phone', ...number, otp: await codeFor(world, phone), password: resetBy.password }
    return (await world.send('resetPassword')({ json })).status
  },
  async email(world: World, { email }: Person): Promise<number> {
    await world.send('requestPasswordReset')({ json: { by: 'email', email } })
    const json = { by: 'email', token: await resetTokenFor(world, email), password: resetBy.password }
    return (await world.send('resetPassword')({ json })).status
  },
}

let links = 0

/** Stores the token of a link that resets the password, as if it had been sent to the address of a person. Returns the token. */
export async function resetLink({ service }: World, { id: accountId }: Person): Promise<string> {
  const token = `reset token ${++links}`
  const { resetTokens, clock } = service.app.context
  const expiresAt = new Date(clock.nowMs() + LINK_MS)
  await service.database.prisma.passwordReset.create({
    data: { accountId, tokenHash: resetTokens.hash(token), expiresAt },
  })
  return token
}
