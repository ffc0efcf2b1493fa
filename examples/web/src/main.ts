import { tawthiq } from './client.ts'
import { render, setLoggedIn } from './render.ts'

tawthiq.onSession((session) => setLoggedIn(session !== null))
addEventListener('hashchange', () => void render())
