import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { median } from './figures.ts'

const STARTS = 4
const PORT = 39_517
const MAIN = new URL('../../service/main.js', import.meta.url)

/** How soon a service that was built is ready on the embedded database, and the memory of the process when it idles. */
export async function benchStart(): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'tawthiq-bench-'))
  const starts: { readyMs: number; idleMb: number }[] = []
  for (let round = 0; round < STARTS; round++) starts.push(await start(directory))
  rmSync(directory, { recursive: true, force: true })
  const [first, ...later] = starts
  return [
    'Embedded database',
    `  ready, first start      ${(first?.readyMs ?? 0).toFixed(0)} ms`,
    `  ready, later starts     ${median(later.map(({ readyMs }) => readyMs)).toFixed(0)} ms`,
    `  memory when idle        ${Math.max(...starts.map(({ idleMb }) => idleMb)).toFixed(0)} MB`,
  ].join('\n')
}

async function start(directory: string): Promise<{ readyMs: number; idleMb: number }> {
  const startMs = performance.now()
  const { PATH = '' } = process.env
  const child = spawn(process.execPath, [MAIN.pathname], {
    env: { PATH, PORT: String(PORT), DATA_DIR: directory },
    stdio: 'ignore',
  })
  while (!(await isReady())) await sleep(10)
  const readyMs = performance.now() - startMs
  await sleep(3000)
  const idleMb = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${String(child.pid)}/status`, 'utf8'))?.[1]) / 1024
  child.kill()
  await once(child, 'exit')
  return { readyMs, idleMb }
}

async function isReady(): Promise<boolean> {
  const response = await fetch(`http://127.0.0.1:${PORT}/health/ready`).catch(() => undefined)
  return response?.status === 200
}
