import { copy, edit, type Plant } from './plant.ts'

const SCHEMAS = 'components/schemas'
const PARAMETERS = 'new optional parameters and request fields'
const MEMBERS = 'new members of responses and of webhooks'
const CODES = 'new error codes and field codes'
const TYPES = 'new file types, and new values of request enums'
const LIMITS = 'higher limits of sizes, lengths, numbers and rates'
const OPTIONAL = 'optional parameters and request fields that were required'
const WIDER = 'wider patterns and fewer conditions of requests'

/** Changes that no client notices if it follows the guide Versioning */
export const COMPATIBLE: readonly Plant[] = [
  {
    title: 'a new operation',
    row: 'new operations',
    edits: [
      copy('paths/lookups/functional-cases.yaml', 'paths/lookups/diplomas.yaml'),
      edit('paths/lookups/diplomas.yaml', 'listFunctionalCases', 'listDiplomas'),
      edit(
        'openapi.yaml',
        '  /api/v1/lookups/regions:',
        '  /api/v1/lookups/diplomas: { $ref: paths/lookups/diplomas.yaml }\n  /api/v1/lookups/regions:',
      ),
    ],
    breaks: [],
  },
  {
    title: 'a new optional parameter',
    row: PARAMETERS,
    edits: [
      edit(
        'paths/lookups/functional-cases.yaml',
        '  parameters:\n',
        '  parameters:\n    - { name: sort, in: query, schema: { type: string, maxLength: 10 } }\n',
      ),
    ],
    breaks: [],
  },
  {
    title: 'a new optional field',
    row: PARAMETERS,
    edits: [
      edit(`${SCHEMAS}/LoginRequest.yaml`, 'properties:\n', 'properties:\n  device: { type: string, maxLength: 50 }\n'),
    ],
    breaks: [],
  },
  {
    title: 'a new optional field of a profile form, which the other form ignores',
    row: PARAMETERS,
    edits: [
      edit(`${SCHEMAS}/ClientProfileForm.yaml`, '  name:\n', '  nickname: { type: string, maxLength: 50 }\n  name:\n'),
      edit(`${SCHEMAS}/LawyerProfileForm.yaml`, '  day:\n', '  bar_number: { type: string, maxLength: 50 }\n  day:\n'),
    ],
    breaks: [],
  },
  {
    title: 'a new member of a response',
    row: MEMBERS,
    edits: [
      edit(`${SCHEMAS}/AuditEvent.yaml`, 'address, request_id]', 'address, request_id, device]'),
      edit(`${SCHEMAS}/AuditEvent.yaml`, 'properties:\n', 'properties:\n  device: { type: string, maxLength: 50 }\n'),
    ],
    breaks: [],
  },
  {
    title: 'a new member of a webhook',
    row: MEMBERS,
    edits: [
      edit(
        `${SCHEMAS}/AccountEventData.yaml`,
        'properties:\n',
        'properties:\n  origin: { type: string, maxLength: 50 }\n',
      ),
    ],
    breaks: [],
  },
  {
    title: 'a new enum value of a response',
    row: 'new values of response enums',
    edits: [edit(`${SCHEMAS}/AuditEventName.yaml`, '  - logout\n', '  - logout\n  - device_seen\n')],
    breaks: [],
  },
  {
    title: 'a new error code',
    row: CODES,
    edits: [
      edit(
        'components/responses/InvalidCredentials.yaml',
        '[credentials_wrong, mfa_code_wrong]',
        '[credentials_wrong, mfa_code_wrong, refresh_token_invalid]',
      ),
    ],
    breaks: [],
  },
  {
    title: 'a new field code',
    row: CODES,
    edits: [edit(`${SCHEMAS}/FieldCode.yaml`, '  - too_short\n', '  - too_short\n  - too_plain\n')],
    breaks: [],
  },
  {
    title: 'a new event type',
    row: 'new event types',
    edits: [
      copy('webhooks/phone-confirmed.yaml', 'webhooks/email-confirmed.yaml'),
      copy(`${SCHEMAS}/PhoneConfirmedEvent.yaml`, `${SCHEMAS}/EmailConfirmedEvent.yaml`),
      edit('webhooks/email-confirmed.yaml', 'operationId: phoneConfirmed', 'operationId: emailConfirmed'),
      edit('webhooks/email-confirmed.yaml', 'PhoneConfirmedEvent.yaml', 'EmailConfirmedEvent.yaml'),
      edit(`${SCHEMAS}/EmailConfirmedEvent.yaml`, 'enum: [phone.confirmed]', 'enum: [email.confirmed]'),
      edit(
        `${SCHEMAS}/Event.yaml`,
        '  - $ref: PhoneConfirmedEvent.yaml\n',
        '  - $ref: PhoneConfirmedEvent.yaml\n  - $ref: EmailConfirmedEvent.yaml\n',
      ),
      edit(
        `${SCHEMAS}/Event.yaml`,
        '    phone.confirmed: PhoneConfirmedEvent.yaml\n',
        '    phone.confirmed: PhoneConfirmedEvent.yaml\n    email.confirmed: EmailConfirmedEvent.yaml\n',
      ),
      edit(`${SCHEMAS}/EventType.yaml`, '  - phone.confirmed\n', '  - phone.confirmed\n  - email.confirmed\n'),
      edit(
        'openapi.yaml',
        '  phone.confirmed: { $ref: webhooks/phone-confirmed.yaml }\n',
        '  phone.confirmed: { $ref: webhooks/phone-confirmed.yaml }\n  email.confirmed: { $ref: webhooks/email-confirmed.yaml }\n',
      ),
    ],
    breaks: [],
  },
  {
    title: 'a new header of a response',
    row: 'new response headers',
    edits: [
      edit(
        'paths/auth/jwks.yaml',
        '      x-tawthiq-top-level: [keys]\n',
        '      x-tawthiq-top-level: [keys]\n      headers:\n        ETag: { $ref: ../../components/headers/ETag.yaml }\n',
      ),
    ],
    breaks: [],
  },
  {
    title: 'a new file type',
    row: TYPES,
    edits: [
      edit(
        'paths/profile/profile.yaml',
        "profile_photo: { contentType: 'image/jpeg, image/png, image/webp' }",
        "profile_photo: { contentType: 'image/avif, image/jpeg, image/png, image/webp' }",
      ),
    ],
    breaks: [],
  },
  {
    title: 'a new enum value of a request',
    row: TYPES,
    edits: [edit(`${SCHEMAS}/CodeChannel.yaml`, '[sms, whatsapp, voice]', '[sms, whatsapp, voice, telegram]')],
    breaks: [],
  },
  {
    title: 'a higher limit of a file',
    row: LIMITS,
    edits: [edit('limits.yaml', '  document_megabytes: 10', '  document_megabytes: 20')],
    breaks: [],
  },
  {
    title: 'a higher limit of a length in requests and responses',
    row: LIMITS,
    edits: [edit('limits.yaml', '  reason_characters: 500', '  reason_characters: 1000')],
    breaks: [],
  },
  {
    title: 'a higher limit of a number',
    row: LIMITS,
    edits: [
      edit(
        `${SCHEMAS}/LawyerProfileForm.yaml`,
        '    minItems: 1\n    maxItems: 50\n',
        '    minItems: 1\n    maxItems: 100\n',
      ),
    ],
    breaks: [],
  },
  {
    title: 'a higher rate limit',
    row: LIMITS,
    edits: [edit('limits.yaml', '  failures_per_56: 60', '  failures_per_56: 90')],
    breaks: [],
  },
  {
    title: 'an optional field that was required',
    row: OPTIONAL,
    edits: [edit(`${SCHEMAS}/ClientProfileForm.yaml`, 'required: [name]\n', '')],
    breaks: [],
  },
  {
    title: 'a removed pattern of a request',
    row: WIDER,
    edits: [edit('components/parameters/Search.yaml', '  x-tawthiq-text: search\n', '')],
    breaks: [],
  },
  {
    title: 'a condition that is gone',
    row: WIDER,
    edits: [
      edit(
        `${SCHEMAS}/LawyerProfileForm.yaml`,
        `  degree:
    unevaluatedProperties: true
    if: { unevaluatedProperties: true, properties: { degree: { const: 4 } } }
    then: { unevaluatedProperties: true, required: [other_degree], properties: { other_degree: { minLength: 1 } } }
`,
        '',
      ),
    ],
    breaks: [],
  },
  {
    title: 'a deprecated operation',
    row: 'new deprecations',
    edits: [
      edit(
        'paths/admin/check.yaml',
        '  responses:\n',
        "  deprecated: true\n  x-tawthiq-deprecated-since: '2027-01-01'\n  x-tawthiq-sunset: '2027-07-01'\n  responses:\n",
      ),
    ],
    breaks: [],
  },
  {
    title: 'other words',
    row: 'new texts: messages, descriptions and summaries',
    edits: [edit('paths/auth/logout.yaml', 'summary: ', 'summary: Again, ')],
    breaks: [],
  },
]
