import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createScratchDatabase } from './database.ts'
import type { ServerRequest, ServerReport } from './server.ts'

export type MeasuredServer = {
  request(message: ServerRequest): Promise<ServerReport>
  /** Logs in as a demo account, and returns the access token */
  logIn(email?: string): Promise<string>
  close(): Promise<void>
}

type Options = {
  /** Additional environment variables */
  environment?: NodeJS.ProcessEnv
  /** The database to use, instead of a new one on the server of DATABASE_URL or an embedded one */
  databaseUrl?: string
}

/** Starts the process that is measured. */
export async function startMeasured({ environment, databaseUrl }: Options = {}): Promise<MeasuredServer> {
  const folder = mkdtempSync(join(tmpdir(), 'tawthiq-bench-'))
  const { DATABASE_URL: server } = process.env
  const isScratch = server !== undefined && databaseUrl === undefined
  const scratch = isScratch ? await createScratchDatabase(server) : undefined
  const url = databaseUrl ?? scratch?.url
  const child = fork(new URL('server.js', import.meta.url), {
    env: { ...process.env, ...environment, DATA_DIR: folder, ...(url !== undefined && { DATABASE_URL: url }) },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  let last: Promise<unknown> = Promise.resolve()
  // One message after the other, because a report does not say which message it is of.
  const request = (message: ServerRequest): Promise<ServerReport> => {
    const report = last.then(async () => {
      const answer = once(child, 'message')
      child.send(message)
      return ((await answer) as [ServerReport])[0]
    })
    last = report
    return report
  }
  const { service } = await request({ act: 'origins' })
  return {
    request,
    async logIn(email = 'client@demo.test') {
      const response = await fetch(`${service}/api/v1/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email, password: 'Tawthiq-demo-1' }),
      })
      const answer = (await response.json()) as { data: { account: { token: string } } }
      return answer.data.account.token
    },
    async close() {
      child.kill()
      await scratch?.drop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
