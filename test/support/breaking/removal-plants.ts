import { edit, type Plant } from './plant.ts'

const SCHEMAS = 'components/schemas'
const REMOVED = 'removing or renaming an operation, a parameter, a request field or a member of a response'
const RESPONSE_REMOVED = 'removing a status, a header or a media type of a response'
const VALUE_REMOVED = 'removing an error code, a field code, an event type or an enum value'

/** Removals that can break a client */
export const REMOVALS: readonly Plant[] = [
  {
    title: 'a removed operation',
    row: REMOVED,
    edits: [edit('paths/sessions/sessions.yaml', 'delete:\n', 'post:\n')],
    breaks: ['operation-removed #/paths/~1api~1v1~1auth~1sessions/delete'],
  },
  {
    title: 'a changed path',
    row: REMOVED,
    edits: [edit('openapi.yaml', '  /api/v1/meta/limits:', '  /api/v1/meta/rate-limits:')],
    breaks: ['path-removed #/paths/~1api~1v1~1meta~1rate-limits'],
  },
  {
    title: 'a removed parameter',
    row: REMOVED,
    edits: [
      edit(
        'paths/lookups/degrees.yaml',
        '  parameters:\n    - { $ref: ../../components/parameters/Search.yaml }\n',
        '',
      ),
    ],
    breaks: ['parameter-removed #/paths/~1api~1v1~1lookups~1degrees/get/parameters/0'],
  },
  {
    title: 'a removed field of a closed form',
    row: REMOVED,
    edits: [edit(`${SCHEMAS}/RegistrationBase.yaml`, '  otp:\n', '  code:\n')],
    breaks: [
      'property-removed #/components/schemas/ClientRegistration/properties/otp',
      'property-removed #/components/schemas/LawyerRegistration/properties/otp',
    ],
  },
  {
    title: 'a removed field of an open request',
    row: REMOVED,
    edits: [edit(`${SCHEMAS}/CheckPhoneRequest.yaml`, '  challenge_response: { $ref: ChallengeResponse.yaml }\n', '')],
    breaks: ['property-removed #/components/schemas/CheckPhoneRequest/properties/challenge_response'],
  },
  {
    title: 'a removed member of a response',
    row: REMOVED,
    edits: [
      edit(`${SCHEMAS}/Session.yaml`, 'device, address, created_at', 'device, created_at'),
      edit(`${SCHEMAS}/Session.yaml`, '  address:\n', '  network:\n'),
    ],
    breaks: [
      'property-removed #/components/schemas/ExportedSession/properties/address',
      'required-properties-removed #/components/schemas/ExportedSession/required',
      'property-removed #/components/schemas/Session/properties/address',
      'required-properties-removed #/components/schemas/Session/required',
    ],
  },
  {
    title: 'a removed status',
    row: RESPONSE_REMOVED,
    edits: [edit('paths/files/file.yaml', "    '404': { $ref: ../../components/responses/FileNotFound.yaml }\n", '')],
    breaks: ['response-removed #/paths/~1api~1v1~1files~1{file_id}/get/responses/404'],
  },
  {
    title: 'a removed media type of a response',
    row: RESPONSE_REMOVED,
    edits: [
      edit(
        'paths/files/file.yaml',
        '        image/webp: { schema: { $ref: ../../components/schemas/FileContent.yaml } }\n',
        '',
      ),
    ],
    breaks: ['media-type-removed #/paths/~1api~1v1~1files~1{file_id}/get/responses/200/content/image~1webp'],
  },
  {
    title: 'a removed header of a response',
    row: RESPONSE_REMOVED,
    edits: [
      edit(
        'paths/account/export.yaml',
        '      headers:\n        Content-Disposition: { $ref: ../../components/headers/Content-Disposition.yaml }\n',
        '',
      ),
    ],
    breaks: [
      'response-header-removed #/paths/~1api~1v1~1account~1export/get/responses/200/headers/Content-Disposition',
    ],
  },
  {
    title: 'a removed error code',
    row: VALUE_REMOVED,
    edits: [edit('components/responses/OtpRateLimited.yaml', 'otp_send_limit, ', '')],
    breaks: ['error-code-removed #/components/responses/OtpRateLimited/headers/Error-Code'],
  },
  {
    title: 'a removed field code',
    row: VALUE_REMOVED,
    edits: [
      edit(`${SCHEMAS}/FieldCode.yaml`, '  - file_encrypted\n', ''),
      edit(`${SCHEMAS}/FieldCode.yaml`, '  file_encrypted:', '  file_locked:'),
    ],
    breaks: ['enum-values-removed #/components/schemas/FieldCode/enum'],
  },
  {
    title: 'a removed event type',
    row: VALUE_REMOVED,
    edits: [edit('openapi.yaml', '  account.restored: { $ref: webhooks/account-restored.yaml }\n', '')],
    breaks: ['path-removed #/webhooks/account.restored'],
  },
  {
    title: 'a removed enum value of a request',
    row: VALUE_REMOVED,
    edits: [edit(`${SCHEMAS}/ProfileFormBase.yaml`, 'enum: [Male, Female]', 'enum: [Male]')],
    breaks: [
      'enum-values-removed #/components/schemas/ClientProfileForm/properties/gender/enum',
      'enum-values-removed #/components/schemas/ClientProfilePatch/properties/gender/enum',
      'enum-values-removed #/components/schemas/LawyerProfileForm/properties/gender/enum',
      'enum-values-removed #/components/schemas/LawyerProfilePatch/properties/gender/enum',
    ],
  },
  {
    title: 'a removed enum value of a response',
    row: VALUE_REMOVED,
    edits: [edit(`${SCHEMAS}/AuditEventName.yaml`, '  - files_swept\n', '')],
    breaks: [
      'enum-values-removed #/components/schemas/AuditEvent/properties/event/enum',
      'enum-values-removed #/paths/~1api~1v1~1admin~1audit/get/parameters/2/schema/enum',
    ],
  },
]
