/** The command line is invalid. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The command failed for a reason that the message explains to the operator. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}
