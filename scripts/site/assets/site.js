// Enhances the pages, which work without it: buttons that copy code, tabs, links of headings, the search and the color scheme.
import { create, read, store } from './dom.js'

const WORDS = {
  en: {
    copy: 'Copy',
    copied: 'Copied',
    search: 'Search',
    samples: 'Samples',
    attempt: 'Try it',
    theme: 'Theme',
    themes: ['System', 'Light', 'Dark'],
  },
  ar: {
    copy: 'نسخ',
    copied: 'تم النسخ',
    search: 'بحث',
    samples: 'أمثلة',
    attempt: 'جرّبها',
    theme: 'المظهر',
    themes: ['النظام', 'فاتح', 'داكن'],
  },
}
const COPIED_MS = 2000
const TAB_KEY = 'tawthiq-docs-tab'

let choice = read('localStorage', TAB_KEY)
const words = WORDS[document.documentElement.lang]
const { dataset, src } = document.currentScript
/* global FILES -- the build writes the names of the other files beside this one */
const beside = (name) => new URL(name, src)

document.querySelectorAll('.tabs').forEach(makeTabs)
if (navigator.clipboard) document.querySelectorAll('pre').forEach(addCopyButton) // only secure origins have one
document.querySelectorAll('main :is(h2, h3)[id]').forEach(addAnchor)
document.querySelectorAll('section[data-try]').forEach(addAttempt)
addSearch()
addThemes()
openTarget()
addEventListener('hashchange', openTarget)

function addCopyButton(block) {
  const button = newButton(words.copy, { className: 'copy' })
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.innerText)
    button.textContent = words.copied
    setTimeout(() => (button.textContent = words.copy), COPIED_MS)
  })
  const frame = create('div', { className: 'code' })
  block.replaceWith(frame)
  frame.append(block, button)
}

/** Adds a link to a heading for the mouse. Other users have the links of "On this page". */
function addAnchor(heading) {
  heading.append(create('a', { className: 'anchor', href: `#${heading.id}`, ariaHidden: 'true', tabIndex: -1 }))
}

/** Adds a button to an operation that opens the form to send a request. Its code is loaded then. */
function addAttempt(section) {
  const facts = section.querySelector('h2').nextElementSibling
  const button = newButton(words.attempt, { className: 'attempt' })
  button.addEventListener('click', async () => {
    const { newForm } = await import(beside(FILES.try))
    const form = newForm(section, dataset.server ?? new URL('../..', src).href.replace(/\/$/, ''))
    button.remove()
    facts.after(form)
    form.querySelector('input, textarea, button').focus()
  })
  facts.append(button)
}

/** Follows the links to operations that were on one page: #operation/login. */
function openTarget() {
  const name = decodeURIComponent(location.hash.slice(1))
  if (name.startsWith('operation/')) document.getElementById(name)?.querySelector('a')?.click()
}

/** Makes tabs of labelled samples (WAI-ARIA Authoring Practices, Tabs). A choice applies to all tabs of the site. */
function makeTabs(tabs) {
  const panels = [...tabs.children]
  const buttons = panels.map((panel) => newButton(panel.dataset.tab, { role: 'tab' }))
  const select = () => {
    const chosen = panels.findIndex((panel) => panel.dataset.tab === choice)
    panels.forEach((panel, index) => {
      const isSelected = index === Math.max(chosen, 0)
      panel.hidden = !isSelected
      Object.assign(buttons[index], { ariaSelected: String(isSelected), tabIndex: isSelected ? 0 : -1 })
    })
  }
  const list = create('div', { role: 'tablist', ariaLabel: words.samples })
  list.append(...buttons)
  list.addEventListener('click', ({ target }) => chooseTab(buttons.indexOf(target), buttons))
  list.addEventListener('keydown', ({ target, key }) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key]
    if (step) chooseTab((buttons.indexOf(target) + step + buttons.length) % buttons.length, buttons)
  })
  panels.forEach((panel) => {
    Object.assign(panel, { role: 'tabpanel', ariaLabel: panel.dataset.tab })
    panel.querySelector('.tab-label').remove()
  })
  tabs.prepend(list)
  addEventListener('tab', select)
  select()
}

function chooseTab(index, buttons) {
  const button = buttons[index]
  if (!button) return
  store('localStorage', TAB_KEY, (choice = button.textContent))
  dispatchEvent(new Event('tab'))
  button.focus()
}

/** Adds the choice of the color scheme. theme.js applies it to later pages. */
function addThemes() {
  const { dataset: page } = document.documentElement
  const select = create('select', { className: 'theme', ariaLabel: words.theme })
  select.append(...['', 'light', 'dark'].map((value, index) => new Option(words.themes[index], value)))
  select.value = page.theme ?? ''
  select.addEventListener('change', () => store('localStorage', 'tawthiq-docs-theme', (page.theme = select.value)))
  document.querySelector('header nav')?.append(select)
}

/** Opens the search with a button, `/` or Ctrl+K. Its code and its index are loaded then. */
function addSearch() {
  const open = async () => {
    const { openSearch } = await import(beside(FILES.search))
    await openSearch({ index: beside(FILES.index[document.documentElement.lang]), root: new URL('../../', src) })
  }
  const button = newButton(words.search, { className: 'search', ariaKeyShortcuts: '/' })
  button.addEventListener('click', open)
  document.querySelector('header nav')?.prepend(button)
  addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, target } = event
    if ((key !== '/' && !(key === 'k' && (ctrlKey || metaKey))) || target.closest?.('input')) return
    event.preventDefault()
    void open()
  })
}

function newButton(text, properties) {
  return create('button', { type: 'button', textContent: text, ...properties })
}
