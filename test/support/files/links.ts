import type { World } from '../service/world.ts'

/** Links to files stay the same for this long. */
const PERIOD_MS = 300_000

/** Moves the clock to the start of a period in which links to files stay the same, so that two reads of a profile are equal. */
export function startLinkPeriod(world: World): void {
  world.wait(PERIOD_MS - (world.service.clock.nowMs() % PERIOD_MS))
}
