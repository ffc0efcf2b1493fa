/**
 * Makes a call with a deadline: after `ms` the promise rejects and the signal aborts, whether or not the call observes
 * it. The signal never aborts after the call has ended.
 */
export async function withDeadline<Result>(
  ms: number,
  call: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const deadline = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const error = new Error(`no response within ${ms} ms`)
      reject(error) // first, so that the error of the aborted call does not win
      deadline.abort(error)
    }, ms)
  })
  return Promise.race([call(deadline.signal), timeout]).finally(() => clearTimeout(timer))
}
