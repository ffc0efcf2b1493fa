// What the document promises, as types. Nothing here is written by hand for one operation.
import type { bindings } from '../generated/operations.ts'
import type { operations } from '../generated/types.ts'
import type { Context } from './context.ts'
import type { Bearer } from './domain/account.ts'
import type { Slate } from './domain/limit.ts'
import type { Language, SuccessKey } from './messages/index.ts'

export type OperationId = keyof typeof bindings & keyof operations

type Json<Part> = Part extends { content: infer Content } ? Content[keyof Content] : undefined
type Success<Id extends OperationId> = Json<operations[Id]['responses'][200]>

export type Body<Id extends OperationId> = operations[Id] extends { requestBody: infer Part } ? Json<Part> : undefined
export type Data<Id extends OperationId> = Success<Id> extends { data: infer D } ? D : never

/** What stands beside the four members of the envelope, for the few answers that have such. */
export type Beside<Id extends OperationId> = Omit<Success<Id>, 'status' | 'code' | 'message' | 'data'>

/** Who asks: `network` is the address as limits count it. */
export type Client = Readonly<{ address: string; network: string; userAgent: string | undefined; requestId: string }>

export type Call<Id extends OperationId> = {
  body: Body<Id>
  client: Client
  language: Language
  slate: Slate
  reply: Reply<Id>
} & ((typeof bindings)[Id]['secured'] extends true ? { bearer: Bearer } : unknown)

declare const replied: unique symbol

/** What only `reply` makes, so that nothing goes out that the document does not have. */
export type Answer<Id extends OperationId> = Readonly<{
  message: SuccessKey
  data: Data<Id>
  beside?: Beside<Id>
  [replied]: Id
}>

export type Reply<Id extends OperationId> = (
  message: SuccessKey,
  data: Data<Id>,
  ...beside: keyof Beside<Id> extends never ? [] : [Beside<Id>]
) => Answer<Id>

export type Operation<Id extends OperationId> = (call: Call<Id>, context: Context) => Promise<Answer<Id>>

/** One for each operationId: a missing, a surplus and a mistyped one do not compile. */
export type Operations = { [Id in OperationId]: Operation<Id> }
