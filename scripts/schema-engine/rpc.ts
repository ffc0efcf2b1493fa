import { createInterface } from 'node:readline'
import type { Arguments } from './arguments.ts'
import { createDatabase, databaseName } from './servers.ts'
import { loadEngine, panics, type SchemaEngine } from './wasm.ts'

type Call = { id: number | string; method: string; params: Record<string, unknown> }
type Method = (engine: SchemaEngine, params: Record<string, unknown>) => Promise<unknown> | undefined

const ENGINE_ERROR = 4466

/** Answers JSON-RPC calls on stdin, one after the other, until it ends. */
export function serve(given: Arguments): void {
  const printed = new Map<string, () => void>()
  const methods = createMethods(given, printed)
  let engine: Promise<SchemaEngine> | undefined
  let queue = Promise.resolve()
  let current: Call['id'] = 0

  const answer = async ({ id, method, params }: Call): Promise<void> => {
    current = id
    try {
      engine ??= loadEngine(given)
      const loaded = await engine
      const result = await (methods[method]?.(loaded, params) ?? loaded[method]?.(params))
      send({ id, result: result ?? null })
    } catch (error) {
      const { message = String(error), code } = error as { message?: string; code?: string }
      sendError(id, { is_panic: false, message, ...(code && { error_code: code }), meta: null })
    }
  }
  // A panic arrives outside any promise. Left unanswered, the CLI would exit with 0 and say nothing.
  process.on('uncaughtException', (error: Error) => {
    const message = `The schema engine panicked: ${panics.message || error.message}`
    sendError(current, { is_panic: false, message, meta: null })
    process.exitCode = 1
    process.stdin.destroy()
  })
  createInterface({ input: process.stdin })
    .on('line', (line) => {
      if (line.trim() === '') return
      const message = JSON.parse(line) as Call
      if (message.method) queue = queue.then(() => answer(message))
      else printed.get(String(message.id))?.()
    })
    .on('close', () => void queue.then(() => process.exit()))
}

/** The methods that differ between the native engine and the WASM one. */
function createMethods({ url }: Arguments, printed: Map<string, () => void>): Record<string, Method> {
  const print = (content: string): Promise<void> =>
    new Promise((resolve) => {
      const id = `print-${printed.size + 1}`
      printed.set(id, resolve)
      send({ id, method: 'print', params: { content } })
    })
  return {
    getDatabaseVersion: (engine) => engine['version']?.(undefined),
    async createDatabase() {
      if (url === undefined) return { databaseName: 'postgres' }
      await createDatabase(url)
      return { databaseName: databaseName(url) }
    },
    async diff(engine, params) {
      const result = (await engine['diff']?.({ exitCode: null, ...params })) as { exitCode: number; stdout?: string }
      if (result.stdout) await print(result.stdout.replace(/\n$/, ''))
      return { exitCode: result.exitCode, stdout: null }
    },
  }
}

function send(message: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
}

function sendError(id: Call['id'], data: object): void {
  send({ id, error: { code: ENGINE_ERROR, message: 'schema engine error', data } })
}
