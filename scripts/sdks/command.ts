import { spawn } from 'node:child_process'

export type Finished = { code: number; output: string }

/** Runs a command to its end. Its output is returned, and not shown. */
export function run(
  command: string,
  args: readonly string[],
  { env = {}, ...options }: { cwd: string; env?: Record<string, string>; timeout?: number },
): Promise<Finished> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      ...options,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (bytes: Buffer) => (output += bytes.toString()))
    child.on('error', (error) => resolve({ code: 127, output: error.message }))
    child.on('close', (code) => resolve({ code: code ?? 1, output }))
  })
}

export async function mustRun(...given: Parameters<typeof run>): Promise<string> {
  const { code, output } = await run(...given)
  if (code !== 0) throw new Error(`${given[0]} ${given[1].join(' ')} failed with ${code}:\n${output.slice(-4000)}`)
  return output
}
