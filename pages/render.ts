import { readLink } from '@tawthiq/sdk/web'
import { tawthiq } from './client.ts'
import { byId, h } from './dom.ts'
import { applyLanguage, productName, switchLanguage, text, type Text } from './language.ts'
import { accountPage } from './screens/account.ts'
import { linkPage, type Link } from './screens/links.ts'
import { loginPage } from './screens/login.ts'
import { lostPage } from './screens/lost.ts'
import { profilePage } from './screens/profile.ts'
import { registerPage } from './screens/register.ts'
import { resetPage } from './screens/reset.ts'
import { sessionsPage } from './screens/sessions.ts'
import { undoPage } from './screens/undo.ts'
import { returnAddress, settings } from './settings.ts'
import { beginVisit, keepInput } from './steps.ts'
import { actionButton, notice } from './submit.ts'

export type Page = () => Node[] | Promise<Node[]>

const PAGES: Partial<Record<string, Page>> = { profile: profilePage, sessions: sessionsPage, account: accountPage }
const PUBLIC_PAGES: Partial<Record<string, Page>> = {
  login: loginPage,
  lost: lostPage,
  register: registerPage,
  reset: resetPage,
  undo: undoPage,
}

/** The id of the user who is logged in */
let user: number | undefined
let announcement: string | null = null
let openedLink: Link | undefined = takeLink()
let renders = 0
/** The name of the page that was shown last. The focus moves when another one follows. */
let shown: string | undefined

/** Shows a message on the page that is shown next. */
export function announce(message: string): void {
  announcement = message
}

/** Shows another page, with a message. */
export function leave(page: string, message?: Text): void {
  if (message) announce(text(message))
  if (location.hash === `#${page}`) openFragment()
  else location.hash = page
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

/** Shows the pages of a user, or those of visitors. */
export function setUser(id: number | undefined): void {
  if (id === user && byId('main').hasChildNodes()) return
  user = id
  void render()
}

/**
 * Shows the current page. Resolves to whether it is shown, and not another one that was requested meanwhile.
 *
 * @param isKept whether the page goes on, in the other language
 */
export async function render(isKept = false): Promise<boolean> {
  const turn = ++renders
  if (!isKept) beginVisit()
  const [name, page] = choosePage()
  applyLanguage()
  renderHeader(name)
  const main = byId('main')
  main.setAttribute('aria-busy', 'true')
  main.inert = isKept // what is filled in now would be lost
  const content = await Promise.resolve()
    .then(page)
    .catch((error: unknown) => failedPage(error, isKept))
  if (turn !== renders) return false
  const [heading, ...others] = content
  const news = announcement === null ? [] : [notice(announcement)]
  announcement = null
  main.replaceChildren(...(heading ? [heading] : []), ...news, ...others)
  main.removeAttribute('aria-busy')
  main.inert = false
  if (shown !== undefined && shown !== name) {
    main.focus({ preventScroll: true })
    scrollTo(0, 0) // with the header, which the focus would scroll away
  }
  shown = name
  return true
}

function failedPage(error: unknown, isKept: boolean): Node[] {
  return [notice((error as Error).message, 'bad'), actionButton(text('tryAgain'), () => render(isKept), 'quiet')]
}

/** Reads a link in an e-mail, and removes it from the history of the browser. */
function takeLink(): Link | undefined {
  const link = readLink(location.hash)
  if (link) history.replaceState(null, '', location.pathname + location.search)
  return link
}

function choosePage(): [name: string, page: Page] {
  if (openedLink) return ['link', linkPage(openedLink)]
  const name = location.hash.slice(1)
  const pages = user === undefined ? PUBLIC_PAGES : PAGES
  const page = Object.hasOwn(pages, name) ? pages[name] : undefined // fragments such as #constructor
  if (page) return [name, page]
  return user === undefined ? ['login', loginPage] : ['profile', profilePage]
}

function renderHeader(current: string): void {
  const address = returnAddress()
  const links = (Object.keys(PAGES) as Text[]).map((name) =>
    h('a', { href: `#${name}`, 'aria-current': name === current ? 'page' : null }, text(name)),
  )
  const logout = h('button', { class: 'quiet', id: 'logout', click: () => void tawthiq.auth.logout() }, text('logout'))
  const language = h(
    'button',
    { class: 'quiet', id: 'language', click: () => void changeLanguage() },
    text('otherLanguage'),
  )
  const logo = settings.logo === undefined ? null : h('img', { src: settings.logo, alt: '', class: 'logo' })
  const brand = h('a', { class: 'brand', href: '#' }, logo, productName())
  const back = address === undefined ? [] : [h('a', { href: address, id: 'return' }, text('continue'))]
  const nav = h('nav', {}, ...(user === undefined ? [] : [...back, ...links]))
  byId('header').replaceChildren(
    brand,
    nav,
    h('div', { class: 'actions' }, user === undefined ? null : logout, language),
  )
}

/**
 * Shows the page in the other language. It starts from its beginning if it is loading, except for an earlier switch, or waits
 * for a response, which would be lost.
 */
async function changeLanguage(): Promise<void> {
  const main = byId('main')
  const isKept = main.inert || (!main.hasAttribute('aria-busy') && !main.querySelector('button:disabled'))
  const fillAgain = keepInput(main)
  switchLanguage()
  const rendered = render(isKept)
  byId('language').focus() // the header is a new one
  if ((await rendered) && isKept) fillAgain()
}
