import { parsePostgresUrl, type PostgresUrl } from '../../lib/postgres-url.ts'

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
