import { tawthiq } from './client.ts'
import { openFragment, setUser } from './render.ts'

tawthiq.onSession((session) => setUser(session?.user.id))
addEventListener('hashchange', openFragment)
