/**
 * A file that came with a form, in a temporary place: it is gone when the request is over. `abandoned` tells when its
 * sender has left, and nobody waits for what becomes of it.
 */
export type Upload = Readonly<{ path: string; bytes: number; abandoned?: AbortSignal }>
