import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const START_MS_MAX = 120_000

export type Service = { origin: string; close: () => void }

/** Starts the service in development, with its demo accounts, on a database of its own. */
export async function startService(): Promise<Service> {
  const folder = mkdtempSync(join(tmpdir(), 'tawthiq-sdks-'))
  const child = spawn(process.execPath, ['--enable-source-maps', resolve('dist/service/main.js')], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', PORT: '0', HOST: '127.0.0.1', DATA_DIR: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const close = (): void => {
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  let output = ''
  const origin = await new Promise<string>((settle, reject) => {
    const deadline = setTimeout(() => reject(new Error(`the service does not listen: ${output}`)), START_MS_MAX)
    const read = (bytes: Buffer): void => {
      output += bytes.toString()
      const port = /Listening +http:\S+:(\d+)|"port":(\d+),"msg":"listening"/.exec(output)?.slice(1).find(Boolean)
      if (port === undefined) return
      clearTimeout(deadline)
      settle(`http://127.0.0.1:${port}`)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.on('exit', (code) => reject(new Error(`the service ended with ${String(code)}: ${output}`)))
  }).catch((error: unknown) => {
    close()
    throw error
  })
  return { origin, close }
}
