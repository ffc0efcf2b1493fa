// The search of the pages: a dialog over an index that is built with the site.
import MiniSearch from 'minisearch'
import { create } from './dom.js'

const WORDS = {
  en: { search: 'Search guides and reference', none: 'Nothing found.', close: 'Close' },
  ar: { search: 'ابحث في الأدلة والمرجع', none: 'لا نتائج.', close: 'إغلاق' },
}
const RESULTS_MAX = 12
/** Codes and operations whose name is searched are first. */
const EXACT_BOOST = 100
/** In words */
const EXCERPT_LENGTH = 24

const words = WORDS[document.documentElement.lang]
let opened

/** Opens the dialog, and loads the index the first time. `root` is the directory of the site. */
export async function openSearch({ index, root }) {
  opened ??= createDialog(await readIndex(index), root)
  const dialog = await opened
  if (!dialog.open) dialog.showModal()
  dialog.querySelector('input').select()
}

async function readIndex(url) {
  const entries = await (await fetch(url)).json()
  const index = new MiniSearch({
    fields: ['name', 'title', 'parent', 'text'],
    storeFields: ['title', 'parent', 'url', 'text', 'name'],
    processTerm: foldTerm,
    searchOptions: { boost: { name: 8, title: 4, parent: 2 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
  })
  index.addAll(entries.map((entry, id) => ({ id, ...entry })))
  return index
}

/** Folds what Arabic spells in several ways, and case and accents of other scripts. The article is left out. */
function foldTerm(term) {
  return term
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[\p{M}\u0640]/gu, '')
    .replaceAll('ة', 'ه')
    .replaceAll('ى', 'ي')
    .replace(/^(?:[وبفك]?ال|لل)(?=..)/, '')
}

function createDialog(index, root) {
  const dialog = create('dialog', { className: 'search-dialog', ariaLabel: words.search })
  dialog.innerHTML = `<form method="dialog"><input type="search" autocomplete="off" spellcheck="false"><button></button></form>
<p role="status"></p><ul></ul>`
  const [input, button, status, list] = ['input', 'button', 'p', 'ul'].map((name) => dialog.querySelector(name))
  input.placeholder = input.ariaLabel = words.search
  button.textContent = words.close
  input.addEventListener('input', () => {
    const wanted = input.value.trim().toLowerCase()
    const boostDocument = (_id, _term, { name }) => (name?.toLowerCase() === wanted ? EXACT_BOOST : 1)
    const results = index.search(wanted, { boostDocument }).slice(0, RESULTS_MAX)
    status.textContent = results.length === 0 && wanted !== '' ? words.none : ''
    list.replaceChildren(...results.map((result) => renderResult(result, root)))
  })
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return
    event.preventDefault() // the form would close the dialog
    list.querySelector('a')?.click()
  })
  list.addEventListener('click', () => dialog.close())
  dialog.addEventListener('keydown', (event) => {
    const links = [input, ...list.querySelectorAll('a')]
    const next = links[links.indexOf(document.activeElement) + ({ ArrowDown: 1, ArrowUp: -1 }[event.key] ?? Number.NaN)]
    if (!next) return
    event.preventDefault()
    next.focus()
  })
  document.body.append(dialog)
  return dialog
}

/** Returns the words of a text around the first one that was found. */
function excerptOf({ text, terms }) {
  const all = text
    .replaceAll(/[`*#|]|-{3,}|\]\([^)]*\)|\[/g, ' ')
    .trim()
    .split(/\s+/)
  const found = all.findIndex((word) => terms.includes(foldTerm(word.replaceAll(/^\P{L}+|\P{L}+$/gu, ''))))
  const start = Math.max(found - EXCERPT_LENGTH / 4, 0)
  const words = all.slice(start, start + EXCERPT_LENGTH)
  return [...(start > 0 ? ['…'] : []), ...words, ...(start + words.length < all.length ? ['…'] : [])].join(' ')
}

function renderResult({ title, parent, url, ...result }, root) {
  const link = create('a', { href: new URL(url, root), textContent: title })
  const place = create('small', { textContent: parent, dir: 'auto' })
  const excerpt = create('span', { textContent: excerptOf(result), dir: 'auto' })
  link.append(place, excerpt)
  const item = create('li')
  item.append(link)
  return item
}
