import { readLink } from '@tawthiq/sdk/web'
import { tawthiq } from './client.ts'
import { byId, h } from './dom.ts'
import { applyLanguage, switchLanguage, text, type Text } from './language.ts'
import { accountPage } from './pages/account.ts'
import { linkPage, type Link } from './pages/links.ts'
import { loginPage } from './pages/login.ts'
import { lostPage } from './pages/lost.ts'
import { profilePage } from './pages/profile.ts'
import { registerPage } from './pages/register.ts'
import { resetPage } from './pages/reset.ts'
import { sessionsPage } from './pages/sessions.ts'
import { undoPage } from './pages/undo.ts'
import { notice } from './submit.ts'

export type Page = () => Node[] | Promise<Node[]>

const PAGES: Partial<Record<string, Page>> = { profile: profilePage, sessions: sessionsPage, account: accountPage }
const PUBLIC_PAGES: Partial<Record<string, Page>> = {
  login: loginPage,
  lost: lostPage,
  register: registerPage,
  reset: resetPage,
  undo: undoPage,
}

let isLoggedIn = false
let announcement: string | null = null
let openedLink: Link | undefined = takeLink()
let renders = 0

/** Shows a message on the page that is shown next. */
export function announce(message: string): void {
  announcement = message
}

/** Shows another page, with a message. */
export function leave(page: string, message?: Text): void {
  if (message) announce(text(message))
  location.hash = page
}

/** Shows the page of a link in an e-mail. */
export function openLink(link: Link): void {
  openedLink = link
  void render()
}

/** Shows the page that the fragment of the URL names, or that of a link in an e-mail. */
export function openFragment(): void {
  openedLink = takeLink()
  void render()
}

/** Shows the pages of users, or those of visitors. */
export function setLoggedIn(value: boolean): void {
  if (value === isLoggedIn && byId('main').hasChildNodes()) return
  isLoggedIn = value
  void render()
}

/** Shows the current page, unless another one is requested meanwhile. */
export async function render(): Promise<void> {
  const turn = ++renders
  applyLanguage()
  renderHeader()
  const main = byId('main')
  main.setAttribute('aria-busy', 'true')
  try {
    const [heading, ...content] = await choosePage()()
    if (turn !== renders) return
    const news = announcement === null ? [] : [notice(announcement)]
    announcement = null
    main.replaceChildren(...(heading ? [heading] : []), ...news, ...content)
  } catch (error) {
    if (turn !== renders) return
    main.replaceChildren(notice((error as Error).message, 'bad'))
  }
  main.removeAttribute('aria-busy')
}

/** Reads a link in an e-mail, and removes it from the history of the browser. */
function takeLink(): Link | undefined {
  const link = readLink(location.hash)
  if (link) history.replaceState(null, '', location.pathname + location.search)
  return link
}

function choosePage(): Page {
  if (openedLink) return linkPage(openedLink)
  const name = location.hash.slice(1)
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
