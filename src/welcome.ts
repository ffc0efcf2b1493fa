import { resolve } from 'node:path'
import type { Config } from './config.ts'
import { isLoopback } from './config/listening.ts'
import { EXAMPLE_TEST_NUMBERS } from './config/sms.ts'
import { DEMO_ACCOUNTS, DEMO_PASSWORD } from './store/demo.ts'

/** What a person sees who started the service by hand. */
export function welcome(config: Config, port: number, hasDemoAccounts: boolean): string {
  const { host, databaseUrl, dataDir, sms, mail, events } = config
  const unsent = [
    ...(sms.providers.some(({ kind }) => kind === 'log') ? ['SMS'] : []),
    ...(mail.url === undefined ? ['e-mails'] : []),
    ...(events === undefined ? ['events'] : []),
  ]
  const origin = `http://${host === '127.0.0.1' || host === '0.0.0.0' || host === '::' ? 'localhost' : host}:${port}`
  const data = databaseUrl === undefined ? `${resolve(dataDir)} (embedded PostgreSQL)` : describe(databaseUrl)
  const rows = [
    ['Listening', origin],
    ['Docs', `${origin}/docs`],
    ['Document', `${origin}/openapi.json`],
    ['Data', data],
    ...(unsent.length > 0
      ? [['Messages', `${LIST.format(unsent)} are not sent; read them at ${origin}/dev/outbox`]]
      : []),
    ...(hasDemoAccounts
      ? [
          ['Accounts', DEMO_ACCOUNTS.map(({ email }) => email).join(', ')],
          ['Password', DEMO_PASSWORD],
        ]
      : []),
    ...(isLoopback(host) ? [] : [['Warning', 'other machines that can reach this address can use all of this']]),
    ...(hasDemoAccounts && sms.testNumbers === undefined ? [['Phones', testNumbers()]] : []),
  ]
  const table = rows.map(([name = '', value = '']) => `  ${name.padEnd(11)}${value}`).join('\n')
  return `\nTawthiq is running.\n\n${table}\n${hasDemoAccounts ? `\n${loginLines(origin)}\n` : ''}`
}

const LIST = new Intl.ListFormat('en')

/** The test numbers, by their code. */
function testNumbers(): string {
  const codes = [...new Set(EXAMPLE_TEST_NUMBERS.values())]
  return `${LIST.format(EXAMPLE_TEST_NUMBERS.keys())} accept the code ${LIST.format(codes)}`
}

/** A line to paste, in a shell of any kind. */
function loginLines(origin: string): string {
  const body = `{"email":"${DEMO_ACCOUNTS[0]?.email ?? ''}","password":"${DEMO_PASSWORD}"}`
  return `  Log in:\n  curl -s ${origin}/api/v1/auth/login -H 'content-type: application/json' -d '${body}'`
}

/** The address without the password. */
function describe(databaseUrl: string): string {
  const { host, pathname } = new URL(databaseUrl)
  return `PostgreSQL at ${host}, database ${pathname.slice(1)}`
}
