import { contract } from '../support/contract.ts'
import { lookupStories } from '../support/lookup-stories.ts'

contract('listDegrees', lookupStories('listDegrees', 4))
