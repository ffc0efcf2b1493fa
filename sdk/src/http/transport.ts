import type { Fetch, Progress } from '../options.ts'
import { onAbort } from './on-abort.ts'

export type Outgoing = {
  url: string
  method: string
  headers: Record<string, string>
  body: string | FormData | undefined
  signal: AbortSignal
  /** Whether a success is a file */
  isFile: boolean
}

/** A response and its body, which has been read: a text, or a file */
export type Incoming = { response: Response; content: string | Blob }

export type Transport = (request: Outgoing) => Promise<Incoming>

export function fetchTransport(given: Fetch = fetch): Transport {
  return async ({ url, method, headers, body, signal, isFile }) => {
    const response = await given(url, { method, headers, signal, ...(body !== undefined && { body }) })
    return { response, content: await (isFile && response.ok ? response.blob() : response.text()) }
  }
}

/** Sends a body with XMLHttpRequest, because `fetch` does not report the progress of uploads. */
export function progressTransport(onProgress: (progress: Progress) => void): Transport {
  return ({ url, method, headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      request.open(method, url)
      for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
      request.upload.onprogress = ({ loaded, total }) => onProgress({ loaded, total })
      request.onload = () => resolve(incomingOf(request))
      request.onerror = request.onabort = reject
      request.send(body ?? null)
      request.onloadend = onAbort(signal, () => request.abort())
    })
}

function incomingOf(request: XMLHttpRequest): Incoming {
  const lines = request.getAllResponseHeaders().match(/.+/g) ?? []
  const headers = lines.map((line): [string, string] => {
    const [name = '', ...value] = line.split(':')
    return [name, value.join(':').trim()]
  })
  return {
    response: new Response(null, { status: request.status, headers }),
    content: request.responseText,
  }
}
