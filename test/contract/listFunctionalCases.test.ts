import { contract } from '../support/contract.ts'
import { lookupStories } from '../support/lookup-stories.ts'

contract('listFunctionalCases', lookupStories('listFunctionalCases', 5))
