/** A file that came with a form, in a temporary place: it is gone when the request is over. */
export type Upload = Readonly<{ path: string; bytes: number }>
