import type { FileStore } from '../index.ts'

/** Shorter than an hour, because every instance tries every few minutes */
const MINUTES_APART = 55

type SweepSchedule = {
  /** Sweeps the files if the last sweep was an hour ago, or after `request`. */
  sweep(): Promise<void>
  /** Has the next call of `sweep` not wait for the hour. The request lasts until a sweep has completed. */
  request(): void
}

/** Returns when files are swept: every hour, and when accounts have been deleted, so that their files go with them. */
export function sweepSchedule(fileStore: Pick<FileStore, 'sweep'>): SweepSchedule {
  let isRequested = false
  return {
    async sweep() {
      let isPending = isRequested
      isRequested = false
      try {
        if (await fileStore.sweep({ minutesApart: isPending ? 0 : MINUTES_APART })) isPending = false
      } finally {
        isRequested ||= isPending
      }
    },
    request() {
      isRequested = true
    },
  }
}
