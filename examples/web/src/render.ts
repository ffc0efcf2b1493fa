import { tawthiq } from './client.ts'
import { byId, h } from './dom.ts'
import { applyLanguage, switchLanguage, text, type Text } from './language.ts'
import { accountPage } from './pages/account.ts'
import { loginPage } from './pages/login.ts'
import { profilePage } from './pages/profile.ts'
import { registerPage } from './pages/register.ts'
import { resetPage } from './pages/reset.ts'
import { sessionsPage } from './pages/sessions.ts'
import { notice } from './submit.ts'

type Page = () => Node[] | Promise<Node[]>

const PAGES: Partial<Record<string, Page>> = { profile: profilePage, sessions: sessionsPage, account: accountPage }
const PUBLIC_PAGES: Partial<Record<string, Page>> = { login: loginPage, register: registerPage }

let isLoggedIn = false

/** Shows the pages of users, or those of visitors. */
export function setLoggedIn(value: boolean): void {
  if (value === isLoggedIn && byId('main').hasChildNodes()) return
  isLoggedIn = value
  void render()
}

/** Shows the page that the fragment of the URL names. */
export async function render(): Promise<void> {
  applyLanguage()
  renderHeader()
  const main = byId('main')
  main.setAttribute('aria-busy', 'true')
  try {
    main.replaceChildren(...(await choosePage()()))
  } catch (error) {
    main.replaceChildren(notice((error as Error).message, 'bad'))
  }
  main.removeAttribute('aria-busy')
}

function choosePage(): Page {
  const name = location.hash.slice(1)
  const token = new URLSearchParams(name).get('token') // of the link in an e-mail
  if (token !== null || name === 'reset') return () => resetPage(token)
  if (isLoggedIn) return PAGES[name] ?? profilePage
  return PUBLIC_PAGES[name] ?? loginPage
}

function renderHeader(): void {
  const links = (Object.keys(PAGES) as Text[]).map((name) => h('a', { href: `#${name}` }, text(name)))
  const logout = h('button', { class: 'quiet', id: 'logout', click: () => void tawthiq.auth.logout() }, text('logout'))
  const language = h(
    'button',
    {
      class: 'quiet',
      id: 'language',
      click: () => {
        switchLanguage()
        void render()
      },
    },
    text('otherLanguage'),
  )
  const brand = h('a', { class: 'brand', href: '#' }, text('product'))
  byId('header').replaceChildren(brand, h('nav', {}, ...(isLoggedIn ? [...links, logout] : []), language))
}
