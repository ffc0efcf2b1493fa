// What an export and an erasure do with each stored column of a person. A new column does not compile without an answer, and a
// new table not without the reason why it has no personal data, or its columns.
import { Prisma } from '../../../generated/prisma/client.ts'

type Answer = `${'exported' | 'left out'}, ${'deleted' | 'emptied' | 'retained'}`
type Columns<Model extends Prisma.ModelName> = Record<
  keyof Prisma.TypeMap['model'][Model]['payload']['scalars'],
  Answer
>

/** Tables without personal data, with the reason */
export const IMPERSONAL = {
  FileStore: 'the state of the file store',
  FileRemoval: 'keys of files, until the files are deleted',
  AuditSeal: 'hashes of what erasure does not change',
  Import: 'numbers of rows of a file',
  SmsMessage: 'statistics without a number and an account',
  SmsCircuit: 'the state of a provider',
  UsedChallenge: 'hashes of challenges, until they expire',
  Country: 'reference data',
  Region: 'reference data',
  City: 'reference data',
  Nationality: 'reference data',
  Language: 'reference data',
  Degree: 'reference data',
  GeneralSpecialty: 'reference data',
  AccurateSpecialty: 'reference data',
  FunctionalCase: 'reference data',
  GuideCategory: 'reference data',
  GuideSection: 'reference data',
  ReferenceState: 'the version of the reference data',
  EnabledFeature: 'settings of the operator',
  Instance: 'the running instances',
} as const satisfies Partial<Record<Prisma.ModelName, string>>

export type StoredTable<Of = Readonly<Record<string, Answer>>> = Readonly<{
  name: string
  columns: Of
  /** Why an erasure retains columns */
  retained?: string
}>

function exportedColumns<Names extends Record<string, string>>(names: Names): Record<keyof Names, Answer> {
  return Object.fromEntries(Object.keys(names).map((name) => [name, 'exported, deleted'])) as Record<
    keyof Names,
    Answer
  >
}

/** `Profile` is apart: the test of exports compares its columns with the document, and an erasure deletes its rows. */
type Personal = Exclude<Prisma.ModelName, keyof typeof IMPERSONAL | 'Profile'>

/** The tables of a person, each after those that it refers to */
export const STORED: { readonly [Model in Personal]: StoredTable<Columns<Model>> } = {
  // left out: a secret; null for every account that can be exported; data of the recovery; a counter of changes
  Account: {
    name: 'accounts',
    columns: {
      id: 'exported, deleted',
      email: 'exported, deleted',
      phone: 'exported, deleted',
      phoneCode: 'exported, deleted',
      phoneVerifiedAt: 'exported, deleted',
      phoneRecoversFrom: 'left out, deleted',
      phoneChangedAt: 'left out, deleted',
      phoneChangedBy: 'left out, deleted',
      emailVerifiedAt: 'exported, deleted',
      emailRecoversFrom: 'left out, deleted',
      emailChangedAt: 'left out, deleted',
      pendingEmail: 'exported, deleted',
      pendingEmailBy: 'left out, deleted',
      emailChangedBy: 'left out, deleted',
      emailByLink: 'left out, deleted',
      formerEmailByLink: 'left out, deleted',
      formerEmail: 'left out, deleted',
      formerEmailVerifiedAt: 'left out, deleted',
      formerEmailRecoversFrom: 'left out, deleted',
      formerEmailChangedAt: 'left out, deleted',
      formerEmailUntil: 'left out, deleted',
      passwordHash: 'left out, deleted',
      accountType: 'exported, deleted',
      status: 'exported, deleted',
      isAdmin: 'exported, deleted',
      createdAt: 'exported, deleted',
      suspendedAt: 'left out, deleted',
      suspensionReason: 'left out, deleted',
      profileVersion: 'left out, deleted',
      deletionDueAt: 'exported, deleted',
      factorsSince: 'left out, deleted',
      factorsResetAt: 'exported, deleted',
      factorsResetBySupport: 'left out, deleted',
      factorsKeptAt: 'left out, deleted',
      factorsVouched: 'left out, deleted',
    },
  },
  // like `Profile`, a column is exported unless it is named here
  LawyerProfile: {
    name: 'lawyer_profiles',
    columns: {
      ...exportedColumns(Prisma.LawyerProfileScalarFieldEnum),
      accountId: 'left out, deleted',
      reviewVersion: 'left out, deleted',
    },
  },
  LawyerLicence: {
    name: 'lawyer_licences',
    columns: {
      accountId: 'left out, deleted',
      sectionId: 'exported, deleted',
      licenceNo: 'exported, deleted',
    },
  },
  LawyerLanguage: {
    name: 'lawyer_languages',
    columns: {
      accountId: 'left out, deleted',
      languageId: 'exported, deleted',
    },
  },
  File: {
    name: 'files',
    columns: {
      id: 'left out, deleted',
      accountId: 'left out, deleted',
      kind: 'exported, deleted',
      key: 'left out, deleted',
      type: 'exported, deleted',
      bytes: 'exported, deleted',
      createdAt: 'exported, deleted',
    },
  },
  // left out: which refresh token is valid, and whether operations require recent authentication
  Session: {
    name: 'sessions',
    columns: {
      id: 'exported, deleted',
      accountId: 'left out, deleted',
      createdAt: 'exported, deleted',
      endedAt: 'exported, deleted',
      userAgent: 'exported, deleted',
      address: 'exported, deleted',
      generation: 'left out, deleted',
      successorUnused: 'left out, deleted',
      lostSuccessors: 'left out, deleted',
      firstId: 'left out, deleted',
      refreshedAt: 'exported, deleted',
      authenticatedAt: 'left out, deleted',
    },
  },
  // left out: secrets; whether one waits; times that follow from others
  SecondFactors: {
    name: 'second_factors',
    columns: {
      accountId: 'left out, deleted',
      totpSecret: 'left out, deleted',
      totpConfirmedAt: 'exported, deleted',
      totpEstablishedAt: 'left out, deleted',
      totpLastStep: 'left out, deleted',
      totpPending: 'left out, deleted',
      totpPendingSessionId: 'left out, deleted',
      totpPendingByFactor: 'left out, deleted',
      recoveryCodes: 'exported, deleted',
      codesEstablishedAt: 'left out, deleted',
    },
  },
  // left out: technical data of the authenticator, without which browsers cannot use the passkey
  Passkey: {
    name: 'passkeys',
    columns: {
      id: 'exported, deleted',
      accountId: 'left out, deleted',
      credentialId: 'left out, deleted',
      userHandle: 'left out, deleted',
      publicKey: 'left out, deleted',
      counter: 'left out, deleted',
      transports: 'left out, deleted',
      relyingPartyId: 'left out, deleted',
      aaguid: 'left out, deleted',
      name: 'exported, deleted',
      backupEligible: 'left out, deleted',
      backedUp: 'exported, deleted',
      createdAt: 'exported, deleted',
      lastUsedAt: 'exported, deleted',
      establishedAt: 'left out, deleted',
    },
  },
  // a secret that expires after some hours
  EnrollmentCode: {
    name: 'enrollment_codes',
    columns: {
      accountId: 'left out, deleted',
      codeHash: 'left out, deleted',
      expiresAt: 'left out, deleted',
    },
  },
  // secrets that expire after some minutes
  PasswordReset: {
    name: 'password_resets',
    columns: {
      email: 'left out, deleted',
      tokenHash: 'left out, deleted',
      accountId: 'left out, deleted',
      expiresAt: 'left out, deleted',
    },
  },
  // secrets that expire after some days
  // secrets that expire after some days
  EmailToken: {
    name: 'email_tokens',
    columns: {
      tokenHash: 'left out, deleted',
      accountId: 'left out, deleted',
      purpose: 'left out, deleted',
      email: 'left out, deleted',
      verifiedAt: 'left out, deleted',
      byLink: 'left out, deleted',
      phone: 'left out, deleted',
      phoneCode: 'left out, deleted',
      phoneVerifiedAt: 'left out, deleted',
      factors: 'left out, deleted',
      totpSecret: 'left out, deleted',
      sentAt: 'left out, deleted',
      expiresAt: 'left out, deleted',
    },
  },
  // secrets that expire after some days, and their failed attempts
  EmailCode: {
    name: 'email_codes',
    columns: {
      accountId: 'left out, deleted',
      email: 'left out, deleted',
      windowId: 'left out, deleted',
      expiresAt: 'left out, deleted',
      wrongTries: 'left out, deleted',
      sentAt: 'left out, deleted',
      wrongAt: 'left out, deleted',
    },
  },
  // data of the recovery, for some days
  FormerPhone: {
    name: 'former_phones',
    columns: {
      phone: 'left out, deleted',
      phoneCode: 'left out, deleted',
      accountId: 'left out, deleted',
      verifiedAt: 'left out, deleted',
      recoversUntil: 'left out, deleted',
    },
  },
  // codes of a number, which needs no account
  PhoneVerification: {
    name: 'phone_verifications',
    columns: {
      phone: 'left out, deleted',
      purpose: 'left out, deleted',
      windowId: 'left out, deleted',
      state: 'left out, deleted',
      startedAt: 'left out, deleted',
      expiresAt: 'left out, deleted',
      confirmedAt: 'left out, deleted',
      wrongTries: 'left out, deleted',
      otherWindow: 'left out, deleted',
      sentAt: 'left out, deleted',
      sentBy: 'left out, deleted',
      wrongAt: 'left out, deleted',
      wrongBy: 'left out, deleted',
      version: 'left out, deleted',
    },
  },
  // e-mails to the owner, until they are sent
  QueuedMail: {
    name: 'mail_outbox',
    columns: {
      id: 'left out, deleted',
      messageId: 'left out, deleted',
      accountId: 'left out, deleted',
      topic: 'left out, deleted',
      payload: 'left out, deleted',
      tokenHash: 'left out, deleted',
      countedAt: 'left out, deleted',
      createdAt: 'left out, deleted',
      expiresAt: 'left out, deleted',
      attempts: 'left out, deleted',
      lastAttemptAt: 'left out, deleted',
      lastFailure: 'left out, deleted',
      nextAttemptAt: 'left out, deleted',
      traceParent: 'left out, deleted',
      digestFor: 'left out, deleted',
    },
  },
  // how many notices were sent within an hour, for a day
  NoticeWindow: {
    name: 'notice_windows',
    columns: {
      accountId: 'left out, deleted',
      recipient: 'left out, deleted',
      startedAt: 'left out, deleted',
      notices: 'left out, deleted',
    },
  },
  // left out: data about administrators
  AuditEvent: {
    name: 'audit_events',
    retained: 'The trail proves what happened, without personal data, until its retention',
    columns: {
      id: 'left out, retained',
      at: 'exported, retained',
      event: 'exported, retained',
      accountId: 'left out, retained',
      actorId: 'left out, retained',
      subject: 'exported, emptied',
      reason: 'left out, emptied',
      address: 'exported, emptied',
      requestId: 'left out, retained',
    },
  },
  // the delivery of events that the audit trail contains as well
  Event: {
    name: 'events',
    retained: 'Receivers of webhooks get events without personal data, also after the deletion',
    columns: {
      id: 'left out, retained',
      webhookId: 'left out, retained',
      type: 'left out, retained',
      accountId: 'left out, retained',
      data: 'left out, retained',
      at: 'left out, retained',
      attempts: 'left out, retained',
      lastAttemptAt: 'left out, retained',
      lastFailure: 'left out, retained',
      nextAttemptAt: 'left out, retained',
      deliveredAt: 'left out, retained',
      traceParent: 'left out, retained',
    },
  },
  // the outcomes of requests for a day, sealed
  IdempotencyKey: {
    name: 'idempotency_keys',
    columns: {
      id: 'left out, deleted',
      fingerprint: 'left out, deleted',
      claim: 'left out, deleted',
      createdAt: 'left out, deleted',
      claimedAt: 'left out, deleted',
      finishedAt: 'left out, deleted',
      errorCode: 'left out, deleted',
      retryAt: 'left out, deleted',
      sessionId: 'left out, deleted',
      data: 'left out, deleted',
      accountId: 'left out, deleted',
    },
  },
}
