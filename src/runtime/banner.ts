import { resolve } from 'node:path'
import type { Config } from '../config/index.ts'
import { EXAMPLE_TEST_NUMBERS } from '../config/sms/index.ts'
import { listSmsProviders } from '../config/sms/providers.ts'
import { isLoopback } from '../lib/loopback.ts'
import { describePostgres, parsePostgresUrl } from '../lib/postgres-url.ts'
import { DEMO_ACCOUNTS, DEMO_PASSWORD } from '../store/demo-data.ts'

/** Returns the text that is printed when the service starts in development. */
export function buildBanner(config: Config, port: number, hasDemoAccounts: boolean): string {
  const { host, databaseUrl, dataDir, sms } = config
  const unsent = listUnsent(config)
  const name = ['127.0.0.1', '0.0.0.0', '::'].includes(host) ? 'localhost' : host
  const origin = `http://${name.includes(':') ? `[${name}]` : name}:${port}`
  const data =
    databaseUrl === undefined
      ? `${resolve(dataDir)} (embedded PostgreSQL)`
      : `PostgreSQL, ${describePostgres(parsePostgresUrl(databaseUrl))}`
  const rows = [
    ['Listening', origin],
    ...(config.pages ? [['Account', `${origin}/account/`]] : []),
    ['Docs', `${origin}/docs/`],
    ['OpenAPI', `${origin}/openapi.json`],
    ['Data', data],
    ...(unsent.length > 0 ? [['Outbox', `${origin}/dev/outbox (${LIST_FORMAT.format(unsent)} are not sent)`]] : []),
    ...(hasDemoAccounts
      ? [
          ['Accounts', DEMO_ACCOUNTS.map(({ email }) => email).join(', ')],
          ['Password', DEMO_PASSWORD],
        ]
      : [['Accounts', 'no demo accounts and test numbers, because the database has other accounts']]),
    ...(isLoopback(host)
      ? []
      : [['Warning', 'other machines can reach this address, the demo accounts and the outbox']]),
    ...(hasDemoAccounts && sms.testNumbers === undefined ? [['Phones', describeTestNumbers()]] : []),
  ]
  const table = rows.map(([name = '', value = '']) => `  ${name.padEnd(11)}${value}`).join('\n')
  return `\nTawthiq is running.\n\n${table}\n${hasDemoAccounts ? `\n${loginLines(origin)}\n` : ''}`
}

function listUnsent({ sms, mail, events }: Config): string[] {
  return [
    ...(listSmsProviders(sms).some(({ kind }) => kind === 'log') ? ['SMS'] : []),
    ...(mail.url === undefined ? ['e-mails'] : []),
    ...(events === undefined ? ['events'] : []),
  ]
}

const LIST_FORMAT = new Intl.ListFormat('en')

function describeTestNumbers(): string {
  const codes = [...new Set(EXAMPLE_TEST_NUMBERS.values())]
  return `${LIST_FORMAT.format(EXAMPLE_TEST_NUMBERS.keys())} accept the code ${LIST_FORMAT.format(codes)}`
}

/** Returns a login command that works in any shell. */
function loginLines(origin: string): string {
  const body = `{"email":"${DEMO_ACCOUNTS[0]?.email ?? ''}","password":"${DEMO_PASSWORD}"}`
  return `  Log in:\n  curl -s ${origin}/api/v1/auth/login -H 'content-type: application/json' -d '${body}'`
}
