import { at, string, type Operation, type Plant, type Schema } from './plant.ts'

/** Changes that can break a client */
export const BREAKING: readonly Plant[] = [
  {
    title: 'a removed operation',
    change: ({ paths }) => delete at(paths, '/api/v1/auth/sessions')['delete'],
    breaks: ['operation-removed #/paths/~1api~1v1~1auth~1sessions/delete'],
  },
  {
    title: 'a changed path',
    change({ paths }) {
      paths['/api/v1/lookups/diplomas'] = at(paths, '/api/v1/lookups/degrees')
      delete paths['/api/v1/lookups/degrees']
    },
    breaks: ['path-removed #/paths/~1api~1v1~1lookups~1diplomas'],
  },
  {
    title: 'a removed property of a response',
    change({ components }) {
      const session = at(components.schemas, 'Session')
      delete session.properties['address']
      session.required = session.required?.filter((name) => name !== 'address') ?? []
    },
    breaks: [
      'property-removed #/components/schemas/Session/properties/address',
      'required-properties-removed #/components/schemas/Session/required',
    ],
  },
  {
    title: 'a changed type in a response',
    change: ({ components }) =>
      (at(at(components.schemas, 'SessionTokens').properties, 'refresh_token').type = 'integer'),
    breaks: ['schema-type-changed #/components/schemas/SessionTokens/properties/refresh_token/type'],
  },
  {
    title: 'a removed status',
    change: ({ paths }) => delete at(at(paths, '/api/v1/files/{file_id}'), 'get').responses['404'],
    breaks: ['response-removed #/paths/~1api~1v1~1files~1{file_id}/get/responses/404'],
  },
  {
    title: 'a new required field in a request',
    change({ components }) {
      const { properties, required } = at(components.schemas, 'LoginRequest')
      properties['captcha'] = string()
      required?.push('captcha')
    },
    breaks: ['required-properties-added #/components/schemas/LoginRequest/required'],
  },
  {
    title: 'a removed enum value in a request',
    change: ({ components }) => at(at(components.schemas, 'ClientProfileForm').properties, 'gender').enum?.pop(),
    breaks: ['enum-values-removed #/components/schemas/ClientProfileForm/properties/gender/enum'],
  },
  {
    title: 'a lower maxLength in a request',
    change: ({ components }) => (at(at(components.schemas, 'ClientProfileForm').properties, 'name')['maxLength'] = 20),
    breaks: ['schema-constraint-changed #/components/schemas/ClientProfileForm/properties/name/maxLength'],
  },
  {
    title: 'a parameter in another place',
    change: ({ components }) => (at(components.parameters, 'Search').in = 'header'),
    breaks: ['parameter-removed #/components/parameters/Search/in'],
  },
  {
    title: 'a new required header',
    change: ({ paths }) => addHeader(at(at(paths, '/api/v1/auth/login'), 'post'), { name: 'X-Device', required: true }),
    breaks: ['parameter-became-required #/paths/~1api~1v1~1auth~1login/post/parameters/1/required'],
  },
  {
    title: 'a changed condition in a request',
    change: ({ components }) =>
      (at(at(at(components.schemas, 'LawyerProfileForm').dependentSchemas, 'type').if.properties, 'type').enum = [
        1, 2, 3, 4, 5,
      ]),
    breaks: ['condition-changed #/components/schemas/LawyerProfileForm/dependentSchemas/type'],
  },
  {
    title: 'a removed error code',
    change: ({ components }) => at(at(components.responses, 'OtpRateLimited').headers, 'Error-Code').schema.enum.pop(),
    breaks: ['error-code-removed #/components/responses/OtpRateLimited/headers/Error-Code'],
  },
  {
    title: 'a lower file limit',
    change: ({ components }) => lowerLimits(at(components.schemas, 'ImageUpload')),
    breaks: ['file-limit-lowered #/components/schemas/ImageUpload'],
  },
]

function addHeader({ parameters }: Operation, header: object): void {
  parameters.push({ ...header, in: 'header', schema: { type: 'string' } })
}

function lowerLimits(schema: Schema): void {
  for (const name of Object.keys(schema).filter((each) => each.includes('megabytes'))) schema[name] = 2
}
