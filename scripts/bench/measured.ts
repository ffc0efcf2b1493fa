import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ServerRequest, ServerReport } from './server.ts'

export type MeasuredServer = {
  request(message: ServerRequest): Promise<ServerReport>
  /** Logs in with a demo account. Returns its access token. */
  logIn(email?: string): Promise<string>
  close(): void
}

/** Starts the process that is measured, on PostgreSQL with DATABASE_URL, else on an embedded database of its own. */
export async function startMeasured(environment: NodeJS.ProcessEnv = {}): Promise<MeasuredServer> {
  const folder = mkdtempSync(join(tmpdir(), 'tawthiq-bench-'))
  const child = fork(new URL('server.js', import.meta.url), {
    env: { ...process.env, ...environment, DATA_DIR: folder },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const request = async (message: ServerRequest): Promise<ServerReport> => {
    const answer = once(child, 'message')
    child.send(message)
    return ((await answer) as [ServerReport])[0]
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
    close() {
      child.kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
