/** What was opened, to be closed once. */
export type Closers = { add(close: () => unknown): void; close(): Promise<void> }

/** Closes in the reverse order of opening. */
export function closers(): Closers {
  const list: (() => unknown)[] = []
  return {
    add: (close) => list.unshift(close),
    async close() {
      for (const close of list.splice(0)) await close()
    },
  }
}
