'use client'
export { useOperation, type Operation, type OperationState } from './react/operation.ts'
export { useQuery } from './react/query.ts'
export {
  ReauthenticationProvider,
  type PasswordPrompt,
  type ReauthenticationProviderProps,
} from './react/reauthentication.ts'
export { useSession, type SessionState } from './react/session.ts'
