import { Readable } from 'node:stream'

/**
 * Passes a stream on, and destroys both streams with an error if the source sends nothing for `silenceMs` while the
 * reader wants data. The time in which the reader is slow does not count.
 */
export function withStallTimeout(source: Readable, silenceMs: number, toError: (cause: Error) => Error): Readable {
  let timer: NodeJS.Timeout | undefined
  const stopTimer = (): void => {
    clearTimeout(timer)
    timer = undefined
  }
  const destroyStalled = (): void => {
    stream.destroy(toError(new Error(`the source of a stream sent nothing for ${silenceMs} ms`)))
  }
  const stream = new Readable({
    read() {
      timer ??= setTimeout(destroyStalled, silenceMs)
      source.resume()
    },
    destroy(error, callback) {
      stopTimer()
      source.destroy()
      callback(error)
    },
  })
  source.pause() // until the first read
  source.on('data', (chunk) => {
    timer?.refresh()
    if (stream.push(chunk)) return
    stopTimer()
    source.pause()
  })
  source.on('end', () => {
    stopTimer()
    stream.push(null)
  })
  source.on('error', (error) => stream.destroy(error))
  source.on('close', () => {
    if (!source.readableEnded) stream.destroy(new Error('the source of a stream was closed early'))
  })
  return stream
}
