import type { FastifyRequest } from 'fastify'
import { Failure } from '../../domain/failure.ts'

/** Limits the bytes of a form: its parser reads the raw request, where Fastify's own limit does not apply. */
export function startMeter({ raw }: FastifyRequest, bytesMax: number): { overflow: Promise<never>; stop: () => void } {
  let bytes = 0
  let count: (chunk: Buffer) => void = () => undefined
  const overflow = new Promise<never>((_, reject) => {
    count = (chunk) => {
      bytes += chunk.length
      if (bytes <= bytesMax) return
      raw.unpipe()
      reject(new Failure('body_too_large'))
    }
  })
  raw.on('data', count)
  raw.pause() // until the parser reads it
  return { overflow, stop: () => raw.off('data', count) }
}
