import { createHash } from 'node:crypto'
import { Agent, request } from 'undici'
import type { Log } from '../../lib/log.ts'
import type { Metrics } from '../../lib/metrics.ts'
import { createCircuit } from '../resilience/circuit.ts'
import { withDeadline } from '../resilience/deadline.ts'
import { readText } from '../resilience/http-body.ts'

export type BreachedPasswords = {
  /** Returns whether a password is known to be in a data breach; false if that cannot be looked up. */
  has(password: string): Promise<boolean>
}

/** The prefix does not identify a password: each prefix has hundreds of known ones (k-anonymity). */
const PREFIX_LENGTH = 5
const LOOKUP_MS_MAX = 1500
/** Ten times the size of the largest range */
const RESPONSE_BYTES_MAX = 512 * 1024
const CONNECTIONS_MAX = 16
/** `0018A45C4D1DEF81644B54AB7F969B88D65:3`; padding has the count 0. */
const LINE = /^([0-9A-F]{35}):([0-9]{1,10})$/i

type Options = { log: Log; metrics?: Metrics | undefined; timeoutMs?: number; openMs?: number }

/**
 * Looks passwords up at a server with the range API of Have I Been Pwned. Only the first 5 of 40 hexadecimal digits of a
 * SHA-1 hash leave the service. Without a usable response the password is accepted, and the log says so once.
 *
 * @param url the address that the prefix is appended to, after a slash
 */
export function breachedPasswords(url: string, options: Options): BreachedPasswords {
  const { log, metrics, timeoutMs = LOOKUP_MS_MAX, openMs } = options
  const base = url.replace(/\/+$/, '')
  const dispatcher = new Agent({ connections: CONNECTIONS_MAX, connect: { timeout: timeoutMs } })
  const breaker = createCircuit({ openMs, name: 'breached_passwords', metrics })
  let isFailing = false

  const fetchRange = async (prefix: string, signal: AbortSignal): Promise<ReadonlySet<string>> => {
    const headers = { 'add-padding': 'true', accept: 'text/plain', 'user-agent': 'tawthiq' }
    const { statusCode, body } = await request(`${base}/${prefix}`, { headers, signal, dispatcher })
    if (statusCode === 200) return parseSuffixes(await readText(body, RESPONSE_BYTES_MAX))
    body.on('error', () => undefined).destroy()
    throw new Error(`the server returned ${statusCode}`)
  }
  return {
    async has(password) {
      const hash = createHash('sha1').update(password).digest('hex').toUpperCase()
      const [prefix, suffix] = [hash.slice(0, PREFIX_LENGTH), hash.slice(PREFIX_LENGTH)]
      try {
        const suffixes = await breaker(() => withDeadline(timeoutMs, (signal) => fetchRange(prefix, signal)))
        if (isFailing) log.info('breached-password check available again')
        isFailing = false
        return suffixes.has(suffix)
      } catch (error) {
        if (!isFailing)
          log.warn(
            { reason: describeError(error) },
            'breached-password check unavailable: passwords are accepted without it',
          )
        isFailing = true
        return false
      }
    },
  }
}

/** @throws Error if the text is larger than any range, or is not a range: every one has some hundreds of lines */
function parseSuffixes(text: string | undefined): ReadonlySet<string> {
  if (text === undefined) throw new Error('the response is too large')
  const lines = text.split(/\r?\n/).filter(Boolean)
  const found = lines.map((line) => LINE.exec(line))
  if (found.length === 0 || found.includes(null)) throw new Error('the response is not a list of hashes')
  return new Set(found.flatMap((match) => (match?.[1] && Number(match[2]) > 0 ? [match[1].toUpperCase()] : [])))
}

/** Describes an error without the URL, which ends with the prefix, and without the response. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message
}
