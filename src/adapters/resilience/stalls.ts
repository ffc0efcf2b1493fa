import { Readable } from 'node:stream'

/**
 * Passes a stream on, and destroys both with an error when the source sends nothing for `silenceMs` although data is
 * wanted. While the reader is slow, nothing is asked of the source, and its silence does not count.
 */
export function withoutStalls(source: Readable, silenceMs: number, stalled: (cause: Error) => Error): Readable {
  let timer: NodeJS.Timeout | undefined
  const stop = (): void => {
    clearTimeout(timer)
    timer = undefined
  }
  const giveUp = (): void => {
    stream.destroy(stalled(new Error(`the source of a stream sent nothing for ${silenceMs} ms`)))
  }
  const stream = new Readable({
    read() {
      timer ??= setTimeout(giveUp, silenceMs)
      source.resume()
    },
    destroy(error, callback) {
      stop()
      source.destroy()
      callback(error)
    },
  })
  source.pause() // until something is read
  source.on('data', (chunk) => {
    timer?.refresh()
    if (stream.push(chunk)) return
    stop()
    source.pause()
  })
  source.on('end', () => {
    stop()
    stream.push(null)
  })
  source.on('error', (error) => stream.destroy(error))
  source.on('close', () => {
    if (!source.readableEnded) stream.destroy(new Error('the source of a stream was closed early'))
  })
  return stream
}
