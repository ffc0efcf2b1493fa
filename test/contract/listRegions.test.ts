import { contract } from '../support/contract.ts'
import { lookupStories } from '../support/lookup-stories.ts'

contract('listRegions', lookupStories('listRegions', 13))
