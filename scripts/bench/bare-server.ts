import { fileURLToPath } from 'node:url'
import { at127, cpuMicros, freePort, startPart, threadsMicros } from '../load/parts.ts'
import type { Session } from '../load/session.ts'
import { CONNECTIONS, type Variant } from './variant.ts'
import { sendReads, sendWrites, UPLOAD, UPLOADS, withPhoto } from './works.ts'

export type Bare = {
  /** Lets the bare route return what the service returns. */
  prepare(route: string, from: Variant): Promise<void>
  /** Returns the CPU time of a request. */
  measure(route: string): Promise<number>
}

/** Longer texts are returned as they are, because serializing them would take most of the time. */
const LARGE = 10_000

/** The bare routes read no token. */
const ANYONE = Array.from({ length: CONNECTIONS }, (_, at) => {
  const phone = `0100000${1000 + at}`
  return { email: `bare-${at}@example.org`, phone, token: 'none', refreshToken: 'none' }
})

export async function startBare({ folder, onEnd }: Session): Promise<Bare> {
  const port = await freePort()
  const script = fileURLToPath(new URL('bare.js', import.meta.url))
  const { PATH = '' } = process.env
  const env = { PATH, NODE_ENV: 'production', PORT: String(port), DATA_DIR: folder }
  const part = await startPart(process.execPath, [script], port, { env })
  onEnd(() => part.stop())
  const origin = at127(port)
  const pathOf = (route: string): string => `/constant/${encodeURIComponent(route)}`
  const upload = async (): Promise<number> => {
    const photo = await withPhoto()
    return sendWrites(origin, ANYONE, (account) => ({ ...photo(account), path: UPLOAD }), UPLOADS)
  }
  const send = (route: string): Promise<number> =>
    route === UPLOAD ? upload() : sendReads(origin, pathOf(route), ANYONE)
  return {
    async prepare(route, from) {
      if (route !== UPLOAD) {
        const account = route.startsWith('lawyer') ? from.lawyers[0] : from.admins[0]
        const url = `${from.origin}/api/v1${route.replace('lawyer ', '')}`
        const response = await fetch(url, { headers: { authorization: `Bearer ${account?.token ?? ''}` } })
        const text = await response.text()
        const body = JSON.stringify({ answer: text.length > LARGE ? text : (JSON.parse(text) as unknown) })
        const headers = { 'content-type': 'application/json' }
        await fetch(origin + pathOf(route), { method: 'PUT', headers, body })
      }
      await send(route)
    },
    async measure(route) {
      // The threads that convert images may end.
      const read = route === UPLOAD ? cpuMicros : threadsMicros
      const before = read(part.pid)
      const requests = await send(route)
      return (read(part.pid) - before) / requests
    },
  }
}
