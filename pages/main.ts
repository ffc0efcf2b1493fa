import { tawthiq } from './client.ts'
import { openFragment, setLoggedIn } from './render.ts'

tawthiq.onSession((session) => setLoggedIn(session !== undefined))
addEventListener('hashchange', openFragment)
