import { contract } from '../support/contract.ts'
import { lookupStories } from '../support/lookup-stories.ts'

contract('listLanguages', lookupStories('listLanguages', 180))
