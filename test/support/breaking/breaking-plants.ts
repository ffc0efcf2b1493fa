import { copy, edit, type Plant } from './plant.ts'
import { REMOVALS } from './removal-plants.ts'

const SCHEMAS = 'components/schemas'
const TYPE = 'changing the type of a value'
const LEFT_OUT = 'leaving out a member of a response that was always sent, or sending `null` in its place'
const REQUIRED = 'requiring a parameter or a request field that was optional'
const REJECTED = 'rejecting values that were accepted, by a pattern, a condition or a set of fields'
const MEDIA_TYPE = 'rejecting a media type or a file type'
const LOWERED = 'lowering a limit of a size, a length, a number or a rate'
const PRIVILEGES = 'requiring authentication, recent authentication or administrator privileges'
const RENAMED =
  'renaming an `operationId`, a tag of operations or a component, which name the classes and types of generated clients'

/** Changes that can break a client */
export const BREAKING: readonly Plant[] = [
  ...REMOVALS,
  {
    title: 'a changed type in a response',
    row: TYPE,
    edits: [
      edit(
        `${SCHEMAS}/SessionTokens.yaml`,
        '  refresh_token:\n    type: string',
        '  refresh_token:\n    type: integer',
      ),
    ],
    breaks: ['schema-type-changed #/components/schemas/SessionTokens/properties/refresh_token/type'],
  },
  {
    title: 'a member of a response that is no longer always sent',
    row: LEFT_OUT,
    edits: [edit(`${SCHEMAS}/Degree.yaml`, 'name_en, need_certificate]', 'name_en]')],
    breaks: ['required-properties-removed #/components/schemas/Degree/required'],
  },
  {
    title: 'a member of a response that can be null',
    row: LEFT_OUT,
    edits: [edit(`${SCHEMAS}/Degree.yaml`, '    type: boolean', "    type: [boolean, 'null']")],
    breaks: ['schema-type-changed #/components/schemas/Degree/properties/need_certificate/type'],
  },
  {
    title: 'a required field that was optional',
    row: REQUIRED,
    edits: [edit(`${SCHEMAS}/CheckPhoneRequest.yaml`, '[phone_code, phone]', '[phone_code, phone, channel]')],
    breaks: ['required-properties-added #/components/schemas/CheckPhoneRequest/required'],
  },
  {
    title: 'a new required header',
    row: REQUIRED,
    edits: [
      edit(
        'paths/auth/login.yaml',
        '  security: []\n',
        '  security: []\n  parameters:\n    - { name: X-Device, in: header, required: true, schema: { type: string } }\n',
      ),
    ],
    breaks: ['parameter-became-required #/paths/~1api~1v1~1auth~1login/post/parameters/0/required'],
  },
  {
    title: 'a narrower pattern',
    row: REJECTED,
    edits: [edit(`${SCHEMAS}/RefreshTokenRequest.yaml`, String.raw`pattern: '\S'`, String.raw`pattern: '^\w+$'`)],
    breaks: ['schema-constraint-changed #/components/schemas/RefreshTokenRequest/properties/refresh_token/pattern'],
  },
  {
    title: 'a condition that requires a field in more cases',
    row: REJECTED,
    edits: [
      edit(
        `${SCHEMAS}/LawyerProfileForm.yaml`,
        'if: { unevaluatedProperties: true, properties: { type: { enum: [2, 3] } } }',
        'if: { unevaluatedProperties: true, properties: { type: { enum: [2, 3, 4] } } }',
      ),
    ],
    breaks: ['condition-changed #/components/schemas/LawyerProfileForm/dependentSchemas/type'],
  },
  {
    title: 'ignored fields that are rejected now',
    row: REJECTED,
    edits: [
      edit(`${SCHEMAS}/UpdateProfileRequest.yaml`, '[UpdateProfileRequest, UserProfile]', '[UpdateProfileRequest]'),
    ],
    breaks: [
      'field-rejected #/components/schemas/ClientProfileForm',
      'field-rejected #/components/schemas/ClientProfilePatch',
      'field-rejected #/components/schemas/LawyerProfileForm',
      'field-rejected #/components/schemas/LawyerProfilePatch',
    ],
  },
  {
    title: 'an optional text that cannot be cleared any more',
    row: REJECTED,
    edits: [
      edit(
        `${SCHEMAS}/LawyerProfileForm.yaml`,
        '  sections:\n    type: array\n    x-tawthiq-clearable: true\n',
        '  sections:\n    type: array\n',
      ),
    ],
    breaks: [
      'field-not-clearable #/components/schemas/LawyerProfileForm/properties/sections',
      'schema-type-changed #/components/schemas/LawyerProfilePatch/properties/sections/type',
    ],
  },
  {
    title: 'a removed media type of a request',
    row: MEDIA_TYPE,
    edits: [edit('paths/profile/profile.yaml', 'application/merge-patch+json:', 'application/json-patch+json:')],
    breaks: ['media-type-removed #/paths/~1api~1v1~1profile/patch/requestBody/content/application~1json-patch+json'],
  },
  {
    title: 'a removed file type',
    row: MEDIA_TYPE,
    edits: [
      edit(
        'paths/profile/profile.yaml',
        "cv_file: { contentType: 'application/pdf, image/jpeg, image/png, image/webp' }",
        "cv_file: { contentType: 'application/pdf' }",
      ),
    ],
    breaks: [
      'file-type-removed #/paths/~1api~1v1~1profile/put/requestBody/content/multipart~1form-data/encoding/cv_file',
    ],
  },
  {
    title: 'a lower limit of a file',
    row: LOWERED,
    edits: [edit('limits.yaml', '  image_megabytes: 5', '  image_megabytes: 3')],
    breaks: ['file-limit-lowered #/components/schemas/ImageUpload'],
  },
  {
    title: 'a lower limit of a length',
    row: LOWERED,
    edits: [edit(`${SCHEMAS}/LawyerProfileForm.yaml`, '    maxLength: 160', '    maxLength: 100')],
    breaks: [
      'schema-constraint-changed #/components/schemas/LawyerProfileForm/properties/company_name/maxLength',
      'schema-constraint-changed #/components/schemas/LawyerProfilePatch/properties/company_name/maxLength',
    ],
  },
  {
    title: 'a lower limit of a number',
    row: LOWERED,
    edits: [edit('limits.yaml', '  max: 100\nevents:', '  max: 50\nevents:')],
    breaks: ['schema-constraint-changed #/components/parameters/Limit/schema/maximum'],
  },
  {
    title: 'a lower rate limit',
    row: LOWERED,
    edits: [edit('limits.yaml', '  failures_per_address: 30', '  failures_per_address: 20')],
    breaks: ['rate-limit-lowered #/x-tawthiq-rate-limits/login-address'],
  },
  {
    title: 'a longer delay between codes',
    row: LOWERED,
    edits: [edit('limits.yaml', 'cooldown_seconds: [60, 120, 300]', 'cooldown_seconds: [60, 180, 300]')],
    breaks: ['rate-limit-lowered #/x-tawthiq-rate-limits/otp-cooldown-network'],
  },
  {
    title: 'an operation that requires authentication',
    row: PRIVILEGES,
    edits: [edit('paths/lookups/languages.yaml', '  security: []\n', '')],
    breaks: ['security-requirement-changed #/paths/~1api~1v1~1lookups~1languages/get/security/0'],
  },
  {
    title: 'an operation that requires recent authentication',
    row: PRIVILEGES,
    edits: [
      edit(
        'paths/email/cancel.yaml',
        '  responses:\n',
        '  x-tawthiq-requires-recent-authentication: { seconds: 900 }\n  responses:\n',
      ),
    ],
    breaks: ['recent-authentication-required #/paths/~1api~1v1~1auth~1email~1cancel/post'],
  },
  {
    title: 'a renamed operationId',
    row: RENAMED,
    edits: [
      edit('paths/lookups/nationalities.yaml', 'operationId: listNationalities', 'operationId: listCitizenships'),
    ],
    breaks: [
      'component-renamed #/components/schemas/ListNationalitiesResponse',
      'operation-id-changed #/paths/~1api~1v1~1lookups~1nationalities/get/operationId',
    ],
  },
  {
    title: 'an operation in another tag',
    row: RENAMED,
    edits: [edit('paths/profile/form.yaml', 'tags: [Profile]', 'tags: [Metadata]')],
    breaks: ['tag-changed #/paths/~1api~1v1~1profile~1form/get/tags'],
  },
  {
    title: 'a renamed component',
    row: RENAMED,
    edits: [
      copy(`${SCHEMAS}/Country.yaml`, `${SCHEMAS}/Territory.yaml`),
      edit(`${SCHEMAS}/Countries.yaml`, 'Country.yaml', 'Territory.yaml'),
    ],
    breaks: ['component-renamed #/components/schemas/Country'],
  },
]
