// A TCP proxy that can break or freeze its connections, like networks and servers.
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export type Proxy = {
  port: number
  /** Closes every connection and rejects new ones. */
  cut(): void
  /** Accepts connections and bytes, but forwards nothing until `restore` is called. */
  freeze(): void
  /** Returns the bytes received while frozen, as text. */
  heldText(): string
  restore(): void
  close(): void
}

/** Forwards connections to a server. `onConnection` gets the socket of each client. */
export async function openProxy(
  target: { host: string; port: number },
  onConnection: (client: Socket) => unknown = () => undefined,
): Promise<Proxy> {
  const sockets = new Set<Socket>()
  let state: 'whole' | 'cut' | 'frozen' = 'whole'
  let held: { bytes: Buffer; to: Socket }[] = []
  const server = createServer((client) => {
    if (state === 'cut') {
      client.destroy()
      return
    }
    onConnection(client)
    const upstream = connect(target.port, target.host)
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from)
      from
        .on('error', () => to.destroy())
        .on('close', () => {
          sockets.delete(from)
          to.destroy()
        })
      from.on('data', (bytes: Buffer) => {
        if (state === 'whole') to.write(bytes)
        else held.push({ bytes, to })
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const breakAll = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      state = 'cut'
      held = []
      breakAll()
    },
    freeze() {
      state = 'frozen'
    },
    heldText: () => held.map(({ bytes }) => bytes.toString()).join(''),
    restore() {
      state = 'whole'
      for (const { bytes, to } of held) to.write(bytes)
      held = []
    },
    close() {
      breakAll()
      server.close()
    },
  }
}
