import type { FileKind } from '../files/file.ts'
import type { Lawyer, LawyerDetails, Profile, ProfileChange } from './profile.ts'
import type { ReviewAfter } from './review.ts'

/** What a change replaces, beside the e-mail address and the phone number. */
type Change = Pick<ProfileChange, 'account' | 'person' | 'lawyer'> & Readonly<{ removedFiles: readonly FileKind[] }>

/** The state after the change: its version, the ids of the new files, and the review of a lawyer. */
type After = Readonly<{ version: number; newFiles: Profile['files']; review: ReviewAfter | undefined }>

/** Returns the profile after a change of the stored one, as its owner sees it. */
export function changedProfile(stored: Profile, change: Change, { version, newFiles, review }: After): Profile {
  const { account, person, lawyer, removedFiles } = change
  const kept = Object.entries(stored.files).filter(([kind]) => !removedFiles.some((removed) => removed === kind))
  return {
    ...stored,
    ...person,
    accountType: account.accountType,
    profileVersion: version,
    files: { ...Object.fromEntries(kept), ...newFiles },
    lawyer: lawyer && review && changedLawyer(lawyer, review),
  }
}

function changedLawyer(details: LawyerDetails, { reviewStatus, reviewReason }: ReviewAfter): Lawyer {
  return { ...details, languages: [...details.languages].sort((a, b) => a - b), reviewStatus, reviewReason }
}
