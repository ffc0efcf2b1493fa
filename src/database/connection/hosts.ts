import { readFileSync } from 'node:fs'
import type { ConnectionOptions } from 'node:tls'
import { parsePostgresUrl, type PostgresUrl } from '../../lib/postgres-url.ts'
import { StartupError } from '../../lib/startup-error.ts'

/** The servers of a URL. Connections use the current one until it fails. */
export type Hosts = Readonly<{
  url: PostgresUrl
  count: number
  /** Returns the URL of the current server. */
  current(): string
  /** Makes the next server the current one, unless another connection has done so. */
  fail(failed: string): void
}>

/** @param password replaces the password of the URL */
export function createHosts(text: string, password: string | undefined): Hosts {
  const url = parsePostgresUrl(text)
  const urls = url.hosts.map((host) => url.toUrl(host, password))
  let at = 0
  const current = (): string => urls[at] ?? ''
  return {
    url,
    count: urls.length,
    current,
    fail(failed) {
      if (failed === current()) at = (at + 1) % urls.length
    },
  }
}

/**
 * Returns the TLS options of a URL. The modes have the meaning of libpq: `require` encrypts without a check of the server,
 * `verify-ca` checks its certificate, and `verify-full` also its name.
 *
 * @throws StartupError if a file cannot be read
 */
export function tlsOptions(url: PostgresUrl): ConnectionOptions | false {
  const { sslMode, sslRootCert, sslCert, sslKey } = url
  if (sslMode === 'disable') return false
  return {
    rejectUnauthorized: sslMode !== 'require',
    ...(sslMode === 'verify-ca' && { checkServerIdentity: () => undefined }),
    ...(sslRootCert !== undefined && sslRootCert !== 'system' && { ca: read('sslrootcert', sslRootCert) }),
    ...(sslCert !== undefined && { cert: read('sslcert', sslCert) }),
    ...(sslKey !== undefined && { key: read('sslkey', sslKey) }),
  }
}

function read(parameter: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { message } = error as Error
    throw new StartupError(`The file of ${parameter} in the database URL cannot be read: ${message}.`, { cause: error })
  }
}
