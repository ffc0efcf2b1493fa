import type { Clock } from '../domain/clock.ts'

export const systemClock: Clock = { nowMs: () => Date.now(), shiftMs: () => 0 }
