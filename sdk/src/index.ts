export { createTawthiq, type Tawthiq } from './client.ts'
export type { Call, Result, WithResponse } from './call.ts'
export type {
  Body,
  Clearable,
  Data,
  ErrorCodes,
  FieldErrors,
  FieldNames,
  OperationId,
  Path,
  Query,
  Schemas,
} from './contract.ts'
export type { Download } from './http/download.ts'
export {
  TawthiqError,
  isTawthiqError,
  type FactorMethod,
  type FieldError,
  type LocalErrorCode,
  type PasskeyErrorCode,
} from './errors.ts'
export type { Files } from './files.ts'
export type { Bare, Called, WithBody, WithOptionalBody, WithQuery } from './facade.ts'
export { toFormData } from './form-data.ts'
export type { CallOperation, OperationOptions } from './operation.ts'
export type { CallOptions, ClientOptions, Fetch, Language, Progress } from './options.ts'
export type { SessionListener } from './session/sessions.ts'
export { memoryStore, type Session, type SessionUser, type Store } from './session/stores.ts'
export type { NativeFile, Upload } from './upload.ts'
