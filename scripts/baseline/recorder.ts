import { parsePostgresUrl } from '../../src/lib/postgres-url.ts'
import { openProxy } from '../../test/support/servers/proxy.ts'

export type Recorder = {
  /** The URL of the server, through the recorder */
  url: string
  /** The texts of all statements of connections of the service, each once */
  statements(): string[]
  stop(): void
}

/** The connections of the service. Those of its tests have no name. */
const OF_SERVICE = /(?:^|\0)application_name\0[^\0]*tawthiq/
const HEADER_BYTES = 5
const STARTUP_HEADER_BYTES = 4
const PARSE = 'P'
const QUERY = 'Q'

/** Forwards connections to a PostgreSQL server, and records the statements that a service sends, whatever its version. */
export async function startRecorder(target: string): Promise<Recorder> {
  const { hosts, toUrl } = parsePostgresUrl(target)
  const [{ host = '127.0.0.1', port = 5432 } = {}] = hosts
  const statements = new Set<string>()
  const record = (statement: string): unknown => statements.add(statement)
  const proxy = await openProxy({ host, port }, (client) => client.on('data', readMessages(record)))
  return {
    url: toUrl({ host: '127.0.0.1', port: proxy.port }, undefined),
    statements: () => [...statements],
    stop: proxy.close,
  }
}

/** Returns a function that reads the bytes of a client, and calls `record` with the text of each statement of a service. */
function readMessages(record: (statement: string) => unknown): (bytes: Buffer) => void {
  let waiting = Buffer.alloc(0)
  let isStarted = false
  let isOfService = false
  /** Returns the length of the first message; undefined while it is incomplete. */
  const lengthOf = (): number | undefined => {
    if (waiting.length < (isStarted ? HEADER_BYTES : STARTUP_HEADER_BYTES)) return undefined
    const length = isStarted ? waiting.readInt32BE(1) + 1 : waiting.readInt32BE(0)
    return waiting.length < length ? undefined : length
  }
  const read = (message: Buffer): void => {
    const text = message.toString('latin1')
    if (!isStarted) {
      isStarted = text.includes('\0user\0') // and no request for TLS
      isOfService = OF_SERVICE.test(text)
    } else if (isOfService && (text.startsWith(PARSE) || text.startsWith(QUERY))) {
      const [first = '', second = ''] = message.toString('utf8', HEADER_BYTES).split('\0')
      record(text.startsWith(PARSE) ? second : first)
    }
  }
  return (bytes) => {
    waiting = Buffer.concat([waiting, bytes])
    for (let length = lengthOf(); length !== undefined; length = lengthOf()) {
      read(waiting.subarray(0, length))
      waiting = waiting.subarray(length)
    }
  }
}
