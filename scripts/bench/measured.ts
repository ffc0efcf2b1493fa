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

/**
 * Starts the process that is measured, on a new database of the server in DATABASE_URL, or on an embedded one.
 *
 * @param more additional environment variables
 */
export async function startMeasured(more: NodeJS.ProcessEnv = {}): Promise<MeasuredServer> {
  const folder = mkdtempSync(join(tmpdir(), 'tawthiq-bench-'))
  const { DATABASE_URL: server } = process.env
  const database = server === undefined ? undefined : await createScratchDatabase(server)
  const child = fork(new URL('server.js', import.meta.url), {
    env: { ...process.env, ...more, DATA_DIR: folder, ...(database && { DATABASE_URL: database.url }) },
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
      await database?.drop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
