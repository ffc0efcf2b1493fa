import { reach } from '../adapters/resilience/reachable.ts'
import type { Config } from '../config/index.ts'
import { listSmsEndpoints } from '../config/sms/providers.ts'
import type { Context } from '../context.ts'
import type { FileStore } from './file-store/index.ts'
import type { Dependency } from './health.ts'

type Parts = Pick<Context, 'store' | 'limits'> & {
  fileStore: { storage: Pick<FileStore['storage'], 'readMarker'>; check: FileStore['check'] }
}

/**
 * Lists the dependencies that are configured. Only the database decides whether the service is ready. SMS providers,
 * webhooks and the mail server are only connected to, because a request would send a message.
 */
export function listDependencies(config: Config, { store, limits, fileStore }: Parts): Dependency[] {
  const { sms, mail, events, passwordBreachUrl, redisUrl } = config
  const optional = (name: string, check: Dependency['check']): Dependency => ({ name, isRequired: false, check })
  const reached = (name: string, url: string | undefined): Dependency[] =>
    url === undefined ? [] : [optional(name, (signal) => reach(url, signal))]
  return [
    { name: 'database', isRequired: true, check: () => store.ping() },
    ...(redisUrl === undefined ? [] : [optional('redis', () => limits.check())]),
    optional('files', () => fileStore.storage.readMarker()),
    optional('file_deletion', () => fileStore.check()),
    ...listSmsEndpoints(sms).flatMap(({ name, url }) => reached(`sms_${name}`, url)),
    ...reached('mail', mail.url),
    ...reached('events', events?.url),
    ...reached('breach_list', passwordBreachUrl),
  ]
}
