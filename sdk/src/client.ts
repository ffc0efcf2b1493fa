import { openExchange } from './http/exchange.ts'
import { shortcutsTo } from './facade.ts'
import { filesOf } from './files.ts'
import { createOperation, type CallOperation } from './operation.ts'
import type { CallOptions, ClientOptions } from './options.ts'

export type Tawthiq = ReturnType<typeof createTawthiq>

/** Creates a client of a Tawthiq service. */
// The groups are typed by the document, through the operationIds.
// eslint-disable-next-line @typescript-eslint/explicit-function-return-type
export function createTawthiq(options: ClientOptions) {
  const exchange = openExchange(options)
  const operation = createOperation(exchange)
  const { body, optionalBody, bare, query } = shortcutsTo(operation)
  const { getSession, getAccessToken, onSession, dispose } = exchange.sessions
  return {
    auth: {
      register: body('register'),
      login: body('login'),
      logout: bare('logout'),
      check: bare('checkToken'),
      checkAdmin: bare('checkAdmin'),
      reauthenticate: body('reauthenticate'),
      checkPhone: body('checkPhone'),
      confirmPhone: body('confirmPhone'),
      forgotPassword: body('requestPasswordReset'),
      resetPassword: body('resetPassword'),
      undo: body('undoChanges'),
      verifyEmail: optionalBody('requestEmailVerification'),
      confirmEmail: body('confirmEmail'),
      cancelEmailChange: optionalBody('cancelEmailChange'),
      releaseEmail: body('releaseEmail'),
    },
    profile: {
      get: bare('getProfile'),
      update: body('updateProfile'),
      patch: body('patchProfile'),
      changePassword: body('changePassword'),
    },
    account: {
      requestDeletion: body('requestAccountDeletion'),
      cancelDeletion: bare('cancelAccountDeletion'),
      export: bare('exportAccount'),
    },
    sessions: {
      list: bare('listSessions'),
      revoke: (sessionId: string, options?: CallOptions) =>
        operation('revokeSession', undefined, { ...options, path: { session_id: sessionId } }),
      revokeOthers: bare('revokeOtherSessions'),
    },
    lookups: {
      all: bare('listLookups'),
      countries: query('listCountries'),
      regions: query('listRegions'),
      cities: query('listCities'),
      nationalities: query('listNationalities'),
      degrees: query('listDegrees'),
      generalSpecialties: query('listGeneralSpecialties'),
      accurateSpecialties: query('listAccurateSpecialties'),
      functionalCases: query('listFunctionalCases'),
      languages: query('listLanguages'),
      digitalGuideCategories: query('listDigitalGuideCategories'),
    },
    files: filesOf(operation, options.url),
    operation: operation as CallOperation,
    getSession,
    getAccessToken,
    onSession,
    dispose,
    languageOf: exchange.languageOf,
  }
}
