/** A file that the service returned */
export type Download = {
  blob: Blob
  /** The file name that the service suggests */
  name: string
  /** The media type, for example `image/png` */
  type: string
}

export function toDownload({ headers }: Response, blob: Blob): Download {
  const type = headers.get('content-type') ?? ''
  return { blob, name: fileNameIn(headers.get('content-disposition') ?? ''), type }
}

function fileNameIn(disposition: string): string {
  return /filename="?([^";]+)/i.exec(disposition)?.[1] ?? 'download'
}
