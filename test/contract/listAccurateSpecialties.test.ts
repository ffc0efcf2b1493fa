import { contract } from '../support/contract.ts'
import { lookupStories } from '../support/lookup-stories.ts'

contract('listAccurateSpecialties', lookupStories('listAccurateSpecialties', 10))
