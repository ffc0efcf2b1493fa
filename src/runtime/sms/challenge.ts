import { freeRequestsPerDay } from '../../adapters/captcha/index.ts'
import type { Config } from '../../config/index.ts'
import type { Context } from '../../context.ts'
import type { Clock } from '../../domain/clock.ts'
import type { Log } from '../../lib/log.ts'
import type { Metrics } from '../../lib/metrics.ts'

/** Creates the challenges of networks that have used up most of a limit; undefined if none are configured. */
export async function buildChallenge(
  { captcha, sms: { budgets } }: Pick<Config, 'captcha' | 'sms'>,
  options: { log: Log; clock: Clock; metrics: Metrics | undefined },
): Promise<Context['challenge']> {
  if (!captcha) return undefined
  const { siteverifyCaptcha } = await import('../../adapters/captcha/siteverify.ts')
  return { captcha: siteverifyCaptcha(captcha, options), freePerDay: freeRequestsPerDay(budgets) }
}
