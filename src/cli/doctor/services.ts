import { existsSync } from 'node:fs'
import { LIMITS } from '../../../generated/limits.ts'
import { reach } from '../../adapters/resilience/reachable.ts'
import { webhookCredentials } from '../../adapters/sms/providers/webhook.ts'
import { loadKeys } from '../../runtime/keys/load.ts'
import { checkMail, checkRedis } from '../../runtime/start-checks.ts'
import type { Config } from '../../config/index.ts'
import type { WebhookConfig } from '../../config/sms/webhooks.ts'
import { listSmsEndpoints, listSmsProviders } from '../../config/sms/providers.ts'
import { check, failOn, skipped, warning, type CheckResult, type Run } from './result.ts'

const NO_SEALS = 'the audit trail is not sealed: run admin rotate-keys audit-seals'
const NO_FACTORS = 'authenticator apps cannot be used: run admin rotate-keys factors'

/** A prefix that every list of breached passwords has */
const BREACH_PREFIX = '5BAA6'

/** Returns the key file that the first start creates outside production; undefined if there are keys. */
export function missingKeyFile({ keys, isProduction }: Config): string | undefined {
  return 'file' in keys && !isProduction && !existsSync(keys.file) ? keys.file : undefined
}

export async function checkKeys(config: Config): Promise<CheckResult> {
  const missingFile = missingKeyFile(config)
  if (missingFile !== undefined) return skipped('Keys', `${missingFile} does not exist: the first start creates it`)
  return check('Keys', async () => {
    const { auditSeals, factors } = loadKeys(config)
    const missing = [...(auditSeals.length > 0 ? [] : [NO_SEALS]), ...(factors ? [] : [NO_FACTORS])]
    return missing.length === 0 ? 'valid' : { warning: `valid, but ${missing.join(', and ')}` }
  })
}

export async function checkLimits(config: Config): Promise<CheckResult> {
  if (config.redisUrl === undefined) return skipped('Redis', 'not configured: limits are counted in memory')
  return check('Redis', async () => {
    failOn(await checkRedis(config))
    return 'wrote, read and deleted keys'
  })
}

export async function checkMailServer(config: Config): Promise<CheckResult> {
  const { url } = config.mail
  if (url === undefined) return skipped('E-mail', 'SMTP_URL is not set')
  return check('E-mail', async () => {
    failOn(await checkMail(config))
    const { host, username } = new URL(url)
    return `connected to ${host}${username === '' ? '' : ' and logged in'}; no message was sent`
  })
}

/** Connects to SMS providers and to the webhook. Only webhooks of SMS reject a message without a recipient, so only their token is tried. */
export async function checkWebhooks({ sms, events }: Config): Promise<CheckResult[]> {
  const providers = listSmsProviders(sms).flatMap((each) => {
    if (each.kind === 'log') return []
    const name = `SMS, ${each.name}`
    return each.kind === 'webhook' ? check(name, (signal) => tryWebhook(each, signal)) : checkAddress(name, each.apiUrl)
  })
  const noProvider = [Promise.resolve(skipped('SMS', 'no provider is configured'))]
  const webhook = events ? checkAddress('Events', events.url) : skipped('Events', 'no webhook is configured')
  return Promise.all([...(providers.length > 0 ? providers : noProvider), webhook])
}

async function tryWebhook({ name, url, token }: WebhookConfig, signal: AbortSignal): ReturnType<Run> {
  const place = await reach(url, signal)
  const headers = {
    'content-type': 'application/json',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  }
  const response = await fetch(url, { method: 'POST', redirect: 'manual', body: '{}', headers, signal })
  await response.body?.cancel()
  const found = `${place} returned ${response.status} to a request without a recipient`
  const isRejected = response.status === 401 || response.status === 403
  if (isRejected) throw new Error(`${found}: check ${webhookCredentials(name)}`)
  const isRedirect = response.status >= 300 && response.status < 400
  if (isRedirect) throw new Error(`${found}: redirects are not followed, so give the URL that it leads to`)
  const isPage = response.headers.get('content-type')?.startsWith('text/html')
  if (response.ok && isPage) return { warning: `${found}, with a web page: is it the address of the webhook?` }
  return response.status >= 500 ? { warning: found } : found
}

export async function checkTraces({ telemetry: { tracing } }: Config): Promise<CheckResult> {
  return tracing ? checkAddress('Traces', tracing.url) : skipped('Traces', 'no receiver is configured')
}

function checkAddress(name: string, url: string): Promise<CheckResult> {
  return check(name, async (signal) => `connected to ${await reach(url, signal)}; no request was sent`)
}

/** Has an invalid solution verified, which shows whether the URL and the secret are right. */
export async function checkCaptcha({ captcha, sms, isProduction }: Config): Promise<CheckResult> {
  if (captcha === undefined) {
    if (listSmsEndpoints(sms).length === 0) return skipped('CAPTCHA', 'CAPTCHA_VERIFY_URL is not set')
    return warning('CAPTCHA', NO_CAPTCHA)
  }
  return check('CAPTCHA', async (signal) => {
    const { acceptsInvalidSolution } = await import('../../adapters/captcha/siteverify.ts')
    const { host } = new URL(captcha.url)
    if (!(await acceptsInvalidSolution(captcha, signal))) return `${host} rejected an invalid solution, as it should`
    if (!isProduction) return `${host} accepted an invalid solution: CAPTCHA_SECRET is a secret for tests`
    throw new Error(
      `${host} accepted an invalid solution: CAPTCHA_SECRET is a secret for tests, which protects nothing`,
    )
  })
}

const NO_KEY_URL =
  'TWILIO_VOICE_FROM has no effect: Twilio cannot post the keys that are pressed in calls. Set PUBLIC_URL to the address of the service'
const NO_CAPTCHA = `CAPTCHA_VERIFY_URL is not set: an attack that requests many codes blocks new users of a country for up to ${LIMITS.sms.easing_minutes} minutes after its end. Set it and CAPTCHA_SECRET, so that they can solve a challenge instead`

/** Warns of calls that are configured but not offered. */
export function checkCalls({ sms }: Config): CheckResult[] {
  const isIgnored = listSmsProviders(sms).some((each) => each.kind === 'twilio' && each.voice && !each.receipts)
  return isIgnored ? [warning('Calls', NO_KEY_URL)] : []
}

/** Requests the account pages as a user would. They need a service that runs, so that their absence is a warning. */
export async function checkPages({ pages, isProduction }: Config): Promise<CheckResult> {
  const name = 'Account pages'
  if (!pages || !isProduction) return skipped(name, pages ? 'development has them on this machine' : 'PAGES is not on')
  return check(name, async (signal) => {
    const response = await fetch(pages.url, { signal }).catch(() => undefined)
    if (response?.ok && (await response.text()).includes('id="settings"')) return `${pages.url} has them`
    const found = response ? `returned ${response.status}, or another page` : 'cannot be reached from here'
    return { warning: `${pages.url} ${found}: start the service, and have the proxy forward /account/ to it` }
  })
}

export async function checkBreachList({ passwordBreachUrl }: Config): Promise<CheckResult> {
  if (passwordBreachUrl === undefined) return skipped('Breached passwords', 'PASSWORD_BREACH_URL is not set')
  return check('Breached passwords', async (signal) => {
    const response = await fetch(`${passwordBreachUrl.replace(/\/+$/, '')}/${BREACH_PREFIX}`, { signal })
    const lines = (await response.text()).split('\n')
    if (!response.ok) throw new Error(`the server returned ${response.status}`)
    if (!/^[0-9A-F]{35}:[0-9]/i.test(lines[0] ?? '')) throw new Error('the response is not a list of hashes')
    return `${lines.length} hashes of the prefix ${BREACH_PREFIX}`
  })
}
