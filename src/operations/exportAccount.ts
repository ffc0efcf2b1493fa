import { LIMITS } from '../../generated/limits.ts'
import type { Context } from '../context.ts'
import type { Call, Operation } from '../contract.ts'
import type { AccountCopy } from '../domain/account-copy.ts'
import { Failure } from '../domain/failure.ts'
import { isConfidential, type FileKind } from '../domain/file.ts'
import type { Policy } from '../domain/limit.ts'
import { traceOf } from '../domain/trace.ts'
import { accountExportOf, nameInArchive } from './shared/account-export.ts'
import { notify } from './shared/mail.ts'

const PER_HOUR: Policy = { name: 'account-export', points: LIMITS.export.per_hour, seconds: 3600 }
const REFUSALS = { rate_limited: 'export_limited' } as const

export const exportAccount: Operation<'exportAccount'> = async (call, context) => {
  const { bearer, client, slate, reply } = call
  const { store, limits, zipArchive, log } = context
  const account = await store.bearers.account(bearer) // first: a session that has ended does not use up the limit
  if (!account) throw new Failure('token_revoked')
  const key = String(account.id)
  await limits
    .take({ policy: PER_HOUR, key }, slate)
    .catch((error: unknown) =>
      store.audit.recordRefusal(error, REFUSALS, key, { ...traceOf(client), accountId: account.id }),
    )
  const copy = await store.copies.of(bearer)
  if (!copy) throw new Failure('token_revoked')

  const { requestId } = client
  const stream = await zipArchive(entriesOf(copy, call, context), (error) =>
    log.warn({ requestId, err: error }, 'an export was cut off'),
  )
  try {
    await tell(copy, call, context)
    if (stream.errored) throw stream.errored
  } catch (error) {
    stream.destroy()
    throw error
  }

  return reply({
    stream,
    type: 'application/zip',
    bytes: undefined,
    disposition: 'attachment',
    filename: `tawthiq-account-${copy.id}.zip`,
    isStorable: false,
  })
}

type ZipEntries = Parameters<Context['zipArchive']>[0]

/** The files, each opened when it is asked for, and then what the copy says, which knows by then what is missing. */
async function* entriesOf(copy: AccountCopy, { bearer }: Call<'exportAccount'>, context: Context): ZipEntries {
  const { files, clock } = context
  const exportedAt = new Date(clock.nowMs())
  const missing = new Set<FileKind>()
  for (const kept of copy.keptFiles) {
    const file = await files.open(kept.key)
    if (file) yield { name: nameInArchive(kept), at: kept.uploadedAt, file, bytes: kept.bytes }
    else missing.add(kept.kind)
  }
  const content = accountExportOf({ copy, bearer, exportedAt, missing }, context)
  yield { name: 'account.json', at: exportedAt, text: `${JSON.stringify(content, null, 2)}\n` }
}

/** That somebody reads what is confidential is told by the event itself. */
async function tell(
  { id, email, keptFiles }: AccountCopy,
  { client, language }: Call<'exportAccount'>,
  context: Context,
): Promise<void> {
  const confidential = keptFiles.find(({ kind }) => isConfidential(kind))?.kind ?? null
  await context.store.audit.record({ event: 'account_exported', accountId: id, ...traceOf(client, confidential) })
  notify({ to: email, about: 'export', language, reference: client.requestId }, context)
}
