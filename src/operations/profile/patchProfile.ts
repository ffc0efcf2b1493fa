import type { Context } from '../../context.ts'
import { withMembers, type Call, type Operation } from '../../contract/operation.ts'
import { Failure, type FieldFailures } from '../../domain/failure.ts'
import { OPTIONAL_FILES, type OptionalFileKind } from '../../domain/files/file.ts'
import { profileVersion, requireVersion, type Profile } from '../../domain/profiles/profile.ts'
import { serializeUser } from '../../serializers/user.ts'
import { changeProfile } from '../../services/profile/change-profile.ts'

/** Of requests that change a profile at the same time, one succeeds in each attempt of the others. */
const ATTEMPTS_MAX = 20

export const patchProfile: Operation<'patchProfile'> = async (call, context) => {
  const profile = await patch(call, context, ATTEMPTS_MAX)

  return call.reply(
    { user: serializeUser(profile, call.bearer, context.fileLinks) },
    { version: profileVersion(profile) },
  )
}

/** Applies the patch to the stored profile, and again if another request changes that profile in the meantime. */
async function patch(call: Call<'patchProfile'>, context: Context, attempts: number): Promise<Profile> {
  if (attempts === 0) throw new Failure('overloaded')
  const current = await context.store.bearerAccounts.wholeProfile(call.bearer)
  const version = profileVersion(current)
  requireVersion(call.expectedVersions, version)
  const change = applyTo(call, serializeUser(current, call.bearer, context.fileLinks))
  try {
    return await changeProfile(withMembers(call, { ...change, expectedVersions: new Set([version]) }), current, context)
  } catch (error) {
    if (error instanceof Failure && error.code === 'outdated') return patch(call, context, attempts - 1)
    throw error
  }
}

type Change = Omit<ReturnType<Call<'patchProfile'>['applyTo']>, 'removedFiles'> & { removedFiles: OptionalFileKind[] }

function applyTo({ body, applyTo }: Call<'patchProfile'>, user: Readonly<Record<string, unknown>>): Change {
  const { finish, removedFiles, ...form } = applyTo(withoutClearedLicences(user, body))
  const refused = removedFiles.filter((kind) => !isOptional(kind))
  const failures: FieldFailures = Object.fromEntries(refused.map((kind) => [kind, ['not_allowed'] as const]))
  return {
    ...form,
    finish: (others) => finish({ ...others, ...failures }),
    removedFiles: removedFiles.filter(isOptional),
  }
}

/** Clearing the sections clears their licences, which would not match them otherwise. */
function withoutClearedLicences(
  { license_no: licences, ...user }: Readonly<Record<string, unknown>>,
  { sections }: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const areCleared = sections === null || (Array.isArray(sections) && sections.length === 0)
  return areCleared ? user : { ...user, ...(licences !== undefined && { license_no: licences }) }
}

function isOptional(kind: string): kind is OptionalFileKind {
  return OPTIONAL_FILES.some((optional) => optional === kind)
}
