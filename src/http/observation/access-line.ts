import { LRUCache } from 'lru-cache'
import { maskAddress } from '../../domain/text.ts'
import type { AccessLog, Log } from '../../lib/log.ts'

export type AccessLine = Readonly<{
  method: string
  /** The path of the document or of the route, or the redacted path of a request without a route */
  url: string
  status: number
  operationId: string | undefined
  errorCode: string | undefined
  durationMs: number
  requestId: string
  /** undefined if the client reset its connection before the service accepted it */
  clientAddress: string | undefined
  /** Whether the client disconnected before it had the response */
  aborted: true | undefined
}>

export type WriteAccessLine = (line: AccessLine) => void

type Options = Readonly<{ showsClientAddress: boolean }>

/** Bounds of the texts that are remembered */
const MASKED_MAX = 1000
const PREFIXES_MAX = 5000
const INFO = 30
const MESSAGE = 'request'

/** Returns a function that writes access lines as JSON to `accessLog`, or logs them without it; undefined if there are none. */
export function chooseAccessLines(
  telemetry: Options & Readonly<{ hasAccessLog: boolean }>,
  log: Pick<Log, 'info'>,
  accessLog: Pick<AccessLog, 'write'> | undefined,
): WriteAccessLine | undefined {
  if (!telemetry.hasAccessLog) return undefined
  return accessLog ? writtenAccessLines(accessLog.write, telemetry) : loggedAccessLines(log, telemetry)
}

/** Returns a function that logs a line for each request at the level `info`. */
export function loggedAccessLines(log: Pick<Log, 'info'>, { showsClientAddress }: Options): WriteAccessLine {
  const mask = addressMask(showsClientAddress)
  return ({ clientAddress, ...line }) => log.info({ ...line, clientAddress: mask(clientAddress) }, MESSAGE)
}

/**
 * Returns a function that writes the same lines as JSON. Most of a line is the same for all requests with an outcome, and is
 * remembered: this takes a third of the time of the log.
 */
export function writtenAccessLines(write: (text: string) => void, { showsClientAddress }: Options): WriteAccessLine {
  const mask = addressMask(showsClientAddress)
  const prefixFor = rememberedPrefixes()
  return (line) => {
    const { durationMs, requestId, clientAddress, aborted } = line
    const shown = mask(clientAddress)
    write(
      `{"level":${INFO},"time":${Date.now()},${prefixFor(line)},"durationMs":${durationMs},"requestId":"${requestId}"` +
        `${shown === undefined ? '' : `,"clientAddress":"${shown}"`}${aborted ? ',"aborted":true' : ''},"msg":"${MESSAGE}"}\n`,
    )
  }
}

function rememberedPrefixes(): (line: AccessLine) => string {
  const prefixes = new Map<string, string>()
  return ({ method, url, status, operationId, errorCode }) => {
    const key = `${method} ${status} ${errorCode ?? ''} ${url}`
    const known = prefixes.get(key)
    if (known !== undefined) return known
    const prefix = JSON.stringify({ method, url, status, operationId, errorCode }).slice(1, -1)
    if (prefixes.size < PREFIXES_MAX) prefixes.set(key, prefix) // paths without a route are unlimited
    return prefix
  }
}

function addressMask(showsClientAddress: boolean): (address: string | undefined) => string | undefined {
  if (showsClientAddress) return (address) => address
  const masked = new LRUCache<string, string>({ max: MASKED_MAX, memoMethod: (address) => maskAddress(address) })
  return (address) => address && masked.memo(address)
}
