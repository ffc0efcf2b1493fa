import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export type Instance = {
  port: number
  /** Sends SIGTERM, and waits for the end of the process. */
  stop(): Promise<void>
}

const START_MS_MAX = 120_000

/** Starts the service that is built in a directory, and waits until it is ready. */
export async function startInstance(
  directory: string,
  environment: Record<string, string>,
  port: number,
): Promise<Instance> {
  const { PATH = '' } = process.env
  const child = spawn(process.execPath, ['--enable-source-maps', findMain(directory)], {
    cwd: environment['DATA_DIR'],
    // Each instance empties its directory of uploads at the start.
    env: {
      PATH,
      ...environment,
      PORT: String(port),
      UPLOADS_DIR: join(environment['DATA_DIR'] ?? '', `uploads-${port}`),
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(child, 'exit')
  await untilReady(port, Date.now() + START_MS_MAX)
  return {
    port,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Versions up to 0.2.0 are not bundled. */
export function findMain(directory: string): string {
  const bundled = join(directory, 'dist/service/main.js')
  return existsSync(bundled) ? bundled : join(directory, 'dist/src/main.js')
}

async function untilReady(port: number, deadlineMs: number): Promise<void> {
  const ready = (): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await ready())) {
    if (Date.now() > deadlineMs) throw new Error(`the instance on port ${port} is not ready`)
    await sleep(100)
  }
}
