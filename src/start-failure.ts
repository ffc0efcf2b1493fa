/** Why the service cannot start, in words for the person who started it. It is printed without a stack. */
export class StartFailure extends Error {
  override readonly name: string = 'StartFailure'
}

/** The folder of the embedded database belongs to another process. */
export class FolderInUse extends StartFailure {
  override readonly name = 'FolderInUse'

  readonly folder: string
  readonly holder: string

  /** @param holder who has it, as far as that is known */
  constructor(folder: string, holder: string) {
    super(`The data directory ${folder} is in use by ${holder}. Stop it, or set DATA_DIR to another folder.`)
    this.folder = folder
    this.holder = holder
  }
}
