import { contract } from '../support/contract.ts'
import { lookupStories } from '../support/lookup-stories.ts'

contract('listDigitalGuideCategories', lookupStories('listDigitalGuideCategories', 3))
