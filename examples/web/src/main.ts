import { tawthiq } from './client.ts'
import { render, setLoggedIn } from './render.ts'

tawthiq.onSession((session) => setLoggedIn(session !== undefined))
addEventListener('hashchange', () => void render())
