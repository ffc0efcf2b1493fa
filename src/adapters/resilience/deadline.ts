/**
 * Makes a call that ends in time: after `ms` the promise rejects and the signal aborts, whether or not the call heeds it.
 * The signal never aborts once the call has ended.
 */
export async function withDeadline<Result>(
  ms: number,
  call: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const deadline = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const error = new Error(`no response within ${ms} ms`)
      reject(error) // first, so that it is not what the aborted call throws
      deadline.abort(error)
    }, ms)
  })
  return Promise.race([call(deadline.signal), late]).finally(() => clearTimeout(timer))
}
