import type { Fetch, Progress } from '../options.ts'

export type Outgoing = {
  url: string
  method: string
  headers: Record<string, string>
  body: string | FormData | undefined
  signal: AbortSignal
}

/** A response and its body, which has been read */
export type Incoming = { response: Response; content: Blob }

export type Transport = (request: Outgoing) => Promise<Incoming>

export function fetchTransport(given: Fetch = fetch): Transport {
  return async ({ url, method, headers, body, signal }) => {
    const response = await given(url, { method, headers, signal, ...(body !== undefined && { body }) })
    return { response, content: await response.blob() }
  }
}

/** Sends with XMLHttpRequest, because `fetch` does not report the progress of uploads. */
export function progressTransport(onProgress: (progress: Progress) => void): Transport {
  return ({ url, method, headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      const abort = (): void => request.abort()
      request.open(method, url)
      request.responseType = 'blob'
      for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
      request.upload.onprogress = ({ loaded, total }) => onProgress({ loaded, total })
      request.onload = () => resolve(incomingOf(request))
      request.onerror = request.onabort = () => reject(new TypeError('The request failed'))
      request.onloadend = () => signal.removeEventListener('abort', abort)
      signal.addEventListener('abort', abort)
      request.send(body ?? null)
      if (signal.aborted) abort()
    })
}

function incomingOf(request: XMLHttpRequest): Incoming {
  const lines = request
    .getAllResponseHeaders()
    .trim()
    .split(/[\r\n]+/)
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon), line.slice(colon + 1).trim()]
  })
  return {
    response: new Response(null, { status: request.status, headers }),
    content: request.response as Blob, // by its responseType
  }
}
