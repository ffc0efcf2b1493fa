import { contract } from '../../support/cases/contract.ts'
import { lookupCases } from '../../support/cases/lookup-cases.ts'

contract('listNationalities', lookupCases('listNationalities', 240))
