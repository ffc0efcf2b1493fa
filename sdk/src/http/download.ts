/** A file that the service returned */
export type Download = {
  blob: Blob
  /** The file name that the service suggests */
  name: string
  /** The media type, for example `image/png` */
  type: string
}

export function toDownload({ headers }: Response, blob: Blob): Download {
  return { blob, name: fileNameIn(headers.get('content-disposition') ?? ''), type: blob.type }
}

/** Returns the file name in a Content-Disposition header; the form with a charset wins (RFC 6266, 4.3). */
function fileNameIn(disposition: string): string {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1]
  if (encoded !== undefined) return decodeURIComponent(encoded)
  return /filename="?([^";]+)/i.exec(disposition)?.[1] ?? 'download'
}
