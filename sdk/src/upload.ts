/** A file of a device, which React Native uploads from its URI */
export type NativeFile = {
  /** Where the file is, for example `file:///…/photo.jpg` */
  uri: string
  name: string
  /** The media type, for example `image/jpeg` */
  type: string
}

/** A file to upload. React Native takes a `NativeFile`, all other platforms a `File` or `Blob`. */
export type Upload = Blob | NativeFile

export function isUpload(value: object): value is Upload {
  return value instanceof Blob || 'uri' in value
}
