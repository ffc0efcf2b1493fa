import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, startPart, type Part } from '../scale/parts.ts'
import type { Dependencies } from './dependencies/index.ts'
import { SMS_BUDGETS } from '../bench/sms-budgets.ts'

/** An instance of the service, with the addresses of its API and of its management port */
export type Instance = { origin: string; management: string; part: Part }

const SERVICE = 'dist/service/main.js'

/**
 * Starts instances in production mode that share all dependencies. The first one creates the tables.
 *
 * @param variables additional variables of all instances
 */
export async function startInstances(
  count: number,
  dependencies: Dependencies,
  folder: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<Instance[]> {
  const environment = environmentOf(dependencies, folder)
  const instances: Instance[] = []
  for (let at = 0; at < count; at++) {
    const [port, management] = [await freePort(), await freePort()]
    const own = { ...environment, ...variables, PORT: String(port), MANAGEMENT_PORT: String(management) }
    const part = await startPart(process.execPath, ['--enable-source-maps', SERVICE, 'serve'], port, own)
    instances.push({ origin: at127(port), management: at127(management), part })
  }
  return instances
}

function at127(port: number): string {
  return `http://127.0.0.1:${port}`
}

function environmentOf({ postgres, redis, files, mail, sms }: Dependencies, folder: string): NodeJS.ProcessEnv {
  const { PATH = '' } = process.env
  const uploads = join(folder, 'uploads')
  mkdirSync(uploads)
  return {
    PATH,
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    TRUST_PROXY: '127.0.0.1',
    KEYS: execFileSync(process.execPath, [SERVICE, 'keys']).toString(),
    BCRYPT_COST: '10',
    LOG_LEVEL: 'warn',
    ACCESS_LOG: 'no',
    MALLOC_ARENA_MAX: '2',
    MALLOC_MMAP_THRESHOLD_: '131072',
    UPLOADS_DIR: uploads,
    DATABASE_URL: postgres.url,
    REDIS_URL: `redis://127.0.0.1:${redis.port}`,
    S3_BUCKET: 'files',
    S3_ENDPOINT: at127(files.port),
    S3_ACCESS_KEY_ID: 'S3RVER',
    S3_SECRET_ACCESS_KEY: 'S3RVER',
    S3_FORCE_PATH_STYLE: 'true',
    SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
    MAIL_FROM: 'Tawthiq <no-reply@example.org>',
    SMS_PROVIDERS: 'webhook',
    SMS_WEBHOOK_URL: `${at127(sms.port)}/webhook`,
    SMS_COUNTRIES: '20',
    ...SMS_BUDGETS,
    ALLOW_INSECURE_URLS: 'SMS_WEBHOOK_URL,SMTP_URL',
  }
}
