// Code that must not compile: this file fails to compile if a line after `@ts-expect-error` has no error.
import type { Operation, Operations } from '../../src/contract/operation.ts'
import type { OperationResponse } from '../../src/contract/reply.ts'
import { invalidData } from '../../src/domain/failure.ts'
import { operations } from '../../generated/handlers.ts'

const { login: _login, ...withoutLogin } = operations

// @ts-expect-error an operation is missing
export const missing: Operations = withoutLogin

// @ts-expect-error an operation is not in the document
export const surplus: Operations = { ...operations, deleteEverything: operations.login }

export const wrongData: Operation<'checkAdmin'> = async ({ reply }) =>
  // @ts-expect-error the document has a boolean here
  reply({ is_admin: 'yes' })

export const tooMuch: Operation<'checkAdmin'> = async ({ reply }) =>
  // @ts-expect-error the document has no such member
  reply({ is_admin: true, email: 'client@demo.test' })

export const headerMissing: Operation<'checkPhone'> = async ({ reply }) =>
  // @ts-expect-error the document requires Retry-After of this success
  reply(null)

export const headerUnknown: Operation<'confirmPhone'> = async ({ reply }) =>
  // @ts-expect-error the document has no Retry-After here
  reply(null, { retryAfterSeconds: 60 })

// @ts-expect-error only `reply` creates responses
export const handMade: Operation<'checkAdmin'> = async (): Promise<OperationResponse<'checkAdmin'>> => ({
  data: { is_admin: true },
})

export const anonymous: Operation<'login'> = async (call) => {
  // @ts-expect-error a public operation has no token
  throw new Error(String(call.bearer))
}

// @ts-expect-error no operation has such a field
export const fieldUnknown = invalidData({ phnoe: ['phone_taken'] })

// @ts-expect-error the document has no such code
export const codeUnknown = invalidData({ phone: ['phone_token'] })

export const knownFields = invalidData({ phone: ['phone_taken'], 'license_no.12': ['required'] })

export const fieldOfOperation: Operation<'changePassword'> = async ({ body, reply }) => {
  // @ts-expect-error the form has no such field
  throw new Error(String(body.old_password ?? reply))
}
