// What a device does natively for React Native: requests, and the bytes of blobs.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** A part of the FormData of React Native, as its networking receives it */
type Part = { fieldName: string; string: string } | { fieldName: string; uri: string; name: string; type: string }
type NativeForm = { getParts(): Part[] }
type BlobManager = { createFromOptions(options: object): unknown }

export type Device = Record<string, unknown> & { blobs: Map<string, Buffer>; blobManager?: BlobManager }

/** Returns the globals of a device, to which React Native adds its own. */
export function createDevice(): Device {
  const device: Device = { blobs: new Map() }
  device['XMLHttpRequest'] = class extends DeviceRequest {
    protected override readonly device = device
  }
  return device
}

/** The XMLHttpRequest of React Native, with the requests of Node.js in place of those of a device. */
abstract class DeviceRequest {
  responseType = ''
  status = 0
  response: unknown
  responseText = ''
  onload: (() => void) | undefined
  onloadend: (() => void) | undefined
  onerror: (() => void) | undefined
  readonly upload: { onprogress?: (progress: { loaded: number; total: number }) => void } = {}
  protected abstract readonly device: Device
  private url = ''
  private method = ''
  private readonly headers = new Headers()
  private received = new Headers()

  open(method: string, url: string): void {
    this.method = method
    this.url = url
  }

  setRequestHeader(name: string, value: string): void {
    this.headers.set(name, value)
  }

  getAllResponseHeaders(): string {
    return [...this.received].map(([name, value]) => `${name}: ${value}\r\n`).join('')
  }

  abort(): void {
    this.onerror = undefined
  }

  send(body: string | NativeForm | null): void {
    this.exchange(body)
      .then(() => this.onload?.())
      .catch(() => this.onerror?.())
      .finally(() => this.onloadend?.())
  }

  private async exchange(body: string | NativeForm | null): Promise<void> {
    const sent = typeof body === 'object' && body ? toForm(body) : body
    const response = await fetch(this.url, { method: this.method, headers: this.headers, body: sent })
    this.upload.onprogress?.({ loaded: 1, total: 1 })
    this.status = response.status
    this.received = response.headers
    const bytes = Buffer.from(await response.arrayBuffer())
    if (this.responseType === 'blob') this.response = this.toBlob(bytes)
    else this.response = this.responseText = bytes.toString()
  }

  private toBlob(bytes: Buffer): unknown {
    const blobId = String(this.device.blobs.size)
    this.device.blobs.set(blobId, bytes)
    const type = this.received.get('content-type') ?? ''
    return this.device.blobManager?.createFromOptions({ blobId, offset: 0, size: bytes.length, type })
  }
}

function toForm(native: NativeForm): FormData {
  const form = new FormData()
  for (const part of native.getParts()) {
    if ('string' in part) form.append(part.fieldName, part.string)
    else form.append(part.fieldName, new File([readFileSync(fileURLToPath(part.uri))], part.name, { type: part.type }))
  }
  return form
}
