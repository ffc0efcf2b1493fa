/** Why the service cannot start, in words for the person who started it. It is printed without a stack. */
export class StartFailure extends Error {
  override readonly name = 'StartFailure'
}
