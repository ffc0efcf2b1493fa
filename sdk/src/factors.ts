import { shortcutsTo } from './facade.ts'
import type { Tawthiq } from './client.ts'
import { FACTOR_OPERATIONS } from './generated/factor-operations.ts'
import { addOperations } from './table.ts'

export type Factors = ReturnType<typeof createFactors>

/** Adds the second factors of the account to a client: its app, its recovery codes, and their reset. */
// The groups are typed by the document, through the operationIds.
// eslint-disable-next-line @typescript-eslint/explicit-function-return-type
export function createFactors(tawthiq: Pick<Tawthiq, 'operation'>) {
  addOperations(FACTOR_OPERATIONS)
  const { body, bare } = shortcutsTo(tawthiq.operation)
  return {
    get: bare('getFactors'),
    beginTotp: body('beginTotp'),
    confirmTotp: body('confirmTotp'),
    removeTotp: body('removeTotp'),
    renewRecoveryCodes: body('renewRecoveryCodes'),
    requestReset: body('requestFactorReset'),
    confirmReset: body('confirmFactorReset'),
    cancelReset: body('cancelFactorReset'),
  }
}
