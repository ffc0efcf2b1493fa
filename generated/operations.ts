// Generated from openapi/ by `npm run generate`. Do not edit.

export const bindings = {
  login: {
    method: 'POST',
    path: '/api/v1/auth/login',
    secured: false,
    media: ['application/json'],
    statuses: [200, 400, 401, 403, 413, 415, 422, 429, 500, 503],
  },
  checkToken: {
    method: 'GET',
    path: '/api/v1/auth/check',
    secured: true,
    media: [],
    statuses: [200, 400, 401, 422, 429, 500, 503],
  },
  checkPhone: {
    method: 'POST',
    path: '/api/v1/auth/check-phone',
    secured: false,
    media: ['multipart/form-data', 'application/json'],
    statuses: [200, 400, 413, 415, 422, 429, 500, 503],
  },
  confirmPhone: {
    method: 'POST',
    path: '/api/v1/auth/confirm-phone',
    secured: false,
    media: ['multipart/form-data', 'application/json'],
    statuses: [200, 400, 413, 415, 422, 429, 500, 503],
  },
  getJwks: {
    method: 'GET',
    path: '/api/v1/auth/jwks',
    secured: false,
    media: [],
    statuses: [200, 400, 422, 500, 503],
  },
  checkAdmin: {
    method: 'GET',
    path: '/api/v1/admin/check',
    secured: true,
    media: [],
    statuses: [200, 400, 401, 422, 429, 500, 503],
  },
  getProfile: {
    method: 'GET',
    path: '/api/v1/profile',
    secured: true,
    media: [],
    statuses: [200, 400, 401, 422, 429, 500, 503],
  },
} as const
