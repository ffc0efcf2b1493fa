import { spawn } from 'node:child_process'
import { at127, freePort } from '../load/parts.ts'
import { DOCUMENTS, openFolder } from '../sdks/folder.ts'

const START_MS_MAX = 120_000

export type Mock = { origin: string; close: () => void }

/**
 * Starts Prism with the OpenAPI 3.0 edition of the document: with the 3.1 document it rejects valid forms with files.
 *
 * @param port undefined: any free port
 */
export async function startMock(port?: number): Promise<Mock> {
  const folder = await openFolder('prism')
  const chosen = port ?? (await freePort())
  const args = ['mock', DOCUMENTS['3.0'], '--port', String(chosen), '--host', '127.0.0.1', '--errors=false']
  const child = spawn(process.execPath, [`${folder}/node_modules/@stoplight/prism-cli/dist/index.js`, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  await new Promise<void>((resolve, reject) => {
    const deadline = setTimeout(() => reject(new Error(`Prism does not listen: ${output}`)), START_MS_MAX)
    child.stdout.on('data', (bytes: Buffer) => {
      output += bytes.toString()
      if (!output.includes('Prism is listening')) return
      clearTimeout(deadline)
      resolve()
    })
    child.on('exit', (code) => reject(new Error(`Prism ended with ${String(code)}: ${output}`)))
  })
  child.stdout.removeAllListeners('data').resume()
  return { origin: at127(chosen), close: () => void child.kill('SIGKILL') }
}
