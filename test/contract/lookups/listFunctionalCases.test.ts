import { contract } from '../../support/cases/contract.ts'
import { lookupCases } from '../../support/cases/lookup-cases.ts'

contract('listFunctionalCases', lookupCases('listFunctionalCases', 5))
