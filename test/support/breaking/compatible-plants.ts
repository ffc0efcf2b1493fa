import { at, string, type Plant } from './plant.ts'

/** Changes that no client notices if it ignores what it does not know */
export const COMPATIBLE: readonly Plant[] = [
  {
    title: 'a new operation',
    change({ paths }) {
      const item = at(paths, '/api/v1/lookups/countries')
      item['post'] = { ...structuredClone(at(item, 'get')), operationId: 'searchCountries' }
    },
    breaks: [],
  },
  {
    title: 'a new optional field in a request',
    change: ({ components }) => (at(components.schemas, 'LoginRequest').properties['device'] = string()),
    breaks: [],
  },
  {
    title: 'a new property of a response',
    change({ components }) {
      const { properties, required } = at(components.schemas, 'AuditEvent')
      properties['device'] = string()
      required?.push('device')
    },
    breaks: [],
  },
  {
    title: 'a new enum value in a response',
    change: ({ components }) => at(at(components.schemas, 'AuditEvent').properties, 'event').enum?.push('device_seen'),
    breaks: [],
  },
  {
    title: 'a new error code',
    change({ components }) {
      at(components.schemas, 'ErrorCode').enum?.push('captcha_wrong')
      at(at(components.responses, 'InvalidCredentials').headers, 'Error-Code').schema.enum.push('captcha_wrong')
    },
    breaks: [],
  },
  {
    title: 'a higher maxLength in a request, and other words',
    change({ components, paths }) {
      at(at(components.schemas, 'LawyerProfileForm').properties, 'about')['maxLength'] = 4000
      at(at(paths, '/api/v1/auth/login'), 'post').description = 'Logs in.'
    },
    breaks: [],
  },
]
