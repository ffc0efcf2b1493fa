import { contract } from '../support/contract.ts'
import { lookupStories } from '../support/lookup-stories.ts'

contract('listNationalities', lookupStories('listNationalities', 240))
