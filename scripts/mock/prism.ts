import { at127, freePort, startPart } from '../load/parts.ts'
import { DOCUMENTS, openFolder } from '../sdks/folder.ts'

export type Mock = { origin: string; close: () => Promise<void> }

/**
 * Starts Prism with the OpenAPI 3.0 edition of the document: with the 3.1 document it rejects valid forms with files.
 *
 * @param port undefined: any free port
 */
export async function startMock(port?: number): Promise<Mock> {
  const folder = await openFolder('prism')
  const chosen = port ?? (await freePort())
  const args = ['mock', DOCUMENTS['3.0'], '--port', String(chosen), '--host', '127.0.0.1', '--errors=false']
  const program = `${folder}/node_modules/@stoplight/prism-cli/dist/index.js`
  const part = await startPart(process.execPath, [program, ...args], chosen)
  return { origin: at127(chosen), close: () => part.stop('SIGKILL') }
}
