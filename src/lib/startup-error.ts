/** Explains to the operator why the service cannot start. Printed without a stack. */
export class StartupError extends Error {
  override readonly name: string = 'StartupError'
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
