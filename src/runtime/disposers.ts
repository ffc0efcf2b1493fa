/** Functions that release resources, each of which runs once. */
export type Disposers = { add(close: () => unknown): void; close(): Promise<void> }

/** Creates a list of disposers that run in the reverse order. */
export function createDisposers(): Disposers {
  const pending: (() => unknown)[] = []
  return {
    add: (close) => pending.unshift(close),
    async close() {
      for (const close of pending.splice(0)) await close()
    },
  }
}
