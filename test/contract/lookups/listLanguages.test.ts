import { contract } from '../../support/cases/contract.ts'
import { lookupCases } from '../../support/cases/lookup-cases.ts'

contract('listLanguages', lookupCases('listLanguages', 180))
