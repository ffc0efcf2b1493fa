import { contract } from '../support/contract.ts'
import { lookupStories } from '../support/lookup-stories.ts'

contract('listGeneralSpecialties', lookupStories('listGeneralSpecialties', 3))
