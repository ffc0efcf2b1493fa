// Password reset messages.
import { setTimeout as sleep } from 'node:timers/promises'
import type { World } from '../service/world.ts'

const WAIT_MS_MAX = 20_000
const LOOK_MS = 5

/** Waits for background tasks and e-mails. Returns the e-mails to an address, newest first. */
export async function mailsTo(world: World, address: string): Promise<{ subject?: string; text: string }[]> {
  await settled(world)
  await allSent(world)
  return (world.service.app.outbox?.messages ?? []).filter(({ to }) => to === address)
}

/** Returns the token in the last e-mail to an address. */
export async function tokenFor(world: World, address: string): Promise<string> {
  const [mail] = await mailsTo(world, address)
  return /^[\w-]{43}$/m.exec(mail?.text ?? '')?.[0] ?? ''
}

/** Returns the code in the last SMS to a number. */
export async function codeFor(world: World, phone: string): Promise<string> {
  await settled(world)
  return /\d{6}/.exec(world.textsTo(phone)[0] ?? '')?.[0] ?? ''
}

/** Waits until no e-mail is waiting, also one that another instance or a poll is sending. */
async function allSent({ service }: World): Promise<void> {
  const { store, deliverMails } = service.app.context
  const endMs = Date.now() + WAIT_MS_MAX
  while ((await store.mails.backlog()).waiting > 0 && Date.now() < endMs) {
    await deliverMails()
    await sleep(LOOK_MS)
  }
}

export async function settled({ service }: World): Promise<void> {
  await service.app.context.background.settle(WAIT_MS_MAX)
}
