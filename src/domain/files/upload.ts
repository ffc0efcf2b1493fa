/**
 * An uploaded file in a temporary location, which is deleted when the request ends. `abandoned` aborts when the client
 * disconnects.
 */
export type Upload = Readonly<{ path: string; bytes: number; abandoned?: AbortSignal }>
