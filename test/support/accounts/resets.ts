// Password reset messages.
import type { World } from '../service/world.ts'

const WAIT_MS_MAX = 20_000

/** Waits for background tasks. Returns the e-mails to an address, newest first. */
export async function mailsTo(world: World, address: string): Promise<{ subject?: string; text: string }[]> {
  await settled(world)
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

export async function settled({ service }: World): Promise<void> {
  await service.app.context.background.settle(WAIT_MS_MAX)
}
