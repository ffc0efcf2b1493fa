import type { AuditFilters } from '../../store/audit/trail.ts'
import type { KeyKind } from '../../adapters/keys/key-file-schema.ts'

/** A parsed command line. */
export type Command =
  | Readonly<{ name: 'help' }>
  | Readonly<{ name: 'list' }>
  | Readonly<{ name: 'grant' | 'revoke' | 'restore' | 'enrollment-code'; email: string }>
  | Readonly<{ name: 'verify-email' | 'reset-factors'; account: number | string }>
  | Readonly<{ name: 'suspend'; email: string; reason: string }>
  | Readonly<{ name: 'rotate-keys'; kind: KeyKind; isPreparation: boolean }>
  | Readonly<{ name: 'reseal-factors' }>
  | Readonly<{ name: 'sweep-files'; isDryRun: boolean; orphansMax: number | undefined }>
  | Readonly<{ name: 'adopt-files'; isConfirmed: boolean }>
  | Readonly<{ name: 'check-files' }>
  | Readonly<{ name: 'mails'; action: 'waiting' | 'failed' | 'retry' }>
  | Readonly<{ name: 'verify-audit' }>
  | Readonly<{ name: 'sms'; hours: number }>
  | Readonly<{ name: 'features' }>
  | Readonly<{ name: 'enable-feature'; feature: string; isConfirmed: boolean }>
  | Readonly<{ name: 'audit'; filters: Pick<AuditFilters, 'requestId' | 'network' | 'since' | 'until'> }>
