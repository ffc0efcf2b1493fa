/** Explains to the operator why the service cannot start. Printed without a stack. */
export class StartupError extends Error {
  override readonly name: string = 'StartupError'
}

/** Returns a sentence for the operator if a disk is full, and the same error otherwise. */
export function explainFullDisk(error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return error
  return new StartupError(`The disk is full. Free space on it, then try again: ${message}.`, { cause: error })
}

/** Another process uses the directory of the embedded database. */
export class DirectoryInUse extends StartupError {
  override readonly name = 'DirectoryInUse'

  readonly directory: string
  readonly holder: string

  /** @param holder the process that uses the directory, as far as known */
  constructor(directory: string, holder: string) {
    super(
      `The data directory ${directory} is in use by ${holder}. Stop that process, or set DATA_DIR to another directory.`,
    )
    this.directory = directory
    this.holder = holder
  }
}

/**
 * The problem that a check of a dependency found, as one sentence for the operator. `isFatal` is true if the configuration is
 * wrong, such as a password, and false if the dependency may only be down.
 */
export type Finding = Readonly<{ isFatal: boolean; text: string }>

export function wrong(text: string): Finding {
  return { isFatal: true, text }
}

export function down(text: string): Finding {
  return { isFatal: false, text }
}
