// The fields of the profile form, as @tawthiq/sdk/forms describes them: labels, options, and what applies to the present values.
import type { FormField, FormGroup, ProfileForm } from '@tawthiq/sdk/forms'
import { saveDownload } from '@tawthiq/sdk/web'
import { tawthiq } from '../client.ts'
import { h } from '../dom.ts'
import { checkBox, field, fillChoices, labelled } from '../fields.ts'
import { formatSize, text } from '../language.ts'
import { actionButton } from '../submit.ts'

/** A field on the page, which stays there while the description of it changes */
type Control = { element: HTMLElement; show(described: FormField): void }
type Change = (name: string, value: unknown) => void

/** The ids of options that most users choose: languages, and the countries around Saudi Arabia */
const COUNTRIES = ['682', '784', '414', '48', '512', '634', '400', '818', '887']
const COMMON: Partial<Record<string, string[]>> = {
  languages: ['8', '37', '47', '171', '164', '57'],
  nationality_id: COUNTRIES,
  country_id: COUNTRIES,
}
/** Longer lists can be searched. */
const SEARCHED_OPTIONS = 20

/** Shows the groups of a form, now and after each change. */
export function formGroups(form: ProfileForm): HTMLElement {
  const place = h('div', { class: 'step' })
  const controls = new Map<string, Control>()
  const elementOf = (described: FormField): HTMLElement => {
    const control = controls.get(described.name) ?? newControl(described, form.set)
    controls.set(described.name, control)
    control.show(described)
    return control.element
  }
  const sectionOf = ({ name, title, fields }: FormGroup): HTMLElement =>
    h(
      'section',
      { class: 'group', id: `group_${name}`, hidden: fields.length === 0 },
      h('h2', {}, title),
      h('div', { class: 'fields' }, ...fields.map(elementOf), name === 'location' ? locationButton(form.set) : null),
    )
  let shown = ''
  form.subscribe(({ groups }) => {
    const names = groups.map(({ fields }) => fields.map(({ name }) => name).join()).join(' ')
    if (names === shown) {
      groups.forEach(({ fields }) => fields.forEach(elementOf))
      return
    }
    shown = names
    const { activeElement } = document
    place.replaceChildren(...groups.map(sectionOf))
    if (activeElement instanceof HTMLElement) activeElement.focus() // elements that move lose it
  })
  return place
}

function newControl(described: FormField, change: Change): Control {
  switch (described.kind) {
    case 'choice':
      return choiceControl(described, change)
    case 'choices':
      return choicesControl(described, change)
    case 'map':
      return mapControl(described, change)
    case 'file':
      return fileControl(described, change)
    case 'text':
    case 'email':
    case 'password':
    case 'number':
      return textControl(described, change)
  }
}

function textControl({ name, multiline, kind, maxLength, ...described }: FormField, change: Change): Control {
  const type = kind === 'number' ? 'text' : kind
  const attributes = { id: name, name, maxlength: maxLength, dir: kind === 'text' ? 'auto' : 'ltr' }
  const onInput = (): void => change(name, input.value)
  const input = multiline
    ? h('textarea', { ...attributes, rows: 4, input: onInput })
    : h('input', { ...attributes, type, input: onInput })
  return {
    element: labelled({ ...described, name, isWide: multiline }, input),
    show({ value }) {
      if (input !== document.activeElement) input.value = asText(value)
    },
  }
}

function choiceControl({ name, ...described }: FormField, change: Change): Control {
  const select = h('select', { id: name, name, change: () => change(name, select.value) })
  return {
    element: labelled({ ...described, name }, select),
    show({ options, value }) {
      fillChoices(select, commonFirst(name, options), value)
    },
  }
}

function choicesControl({ name, label }: FormField, change: Change): Control {
  const boxes = h('fieldset', { class: 'checks wide', 'data-field': name }, h('legend', {}, label))
  return {
    element: boxes,
    show({ options, value }) {
      if (boxes.childElementCount > 1) return
      const chosen = (value ?? []) as unknown[]
      const ofUser = commonFirst(name, options, chosen)
      const list = h(
        'div',
        { class: 'options' },
        ...ofUser.map((each) => checkBox(name, each, chosen.includes(each.value))),
      )
      boxes.append(...(options.length > SEARCHED_OPTIONS ? [searchIn(list)] : []), list)
      boxes.onchange = () => change(name, checkedOf(boxes))
    },
  }
}

/** Lists what the user has chosen, then what most users choose, then the others. */
function commonFirst<Option extends { value: unknown }>(
  name: string,
  options: readonly Option[],
  chosen: readonly unknown[] = [],
): Option[] {
  const common = [...chosen.map(String), ...(COMMON[name] ?? [])]
  const rankOf = ({ value }: Option): number => common.indexOf(String(value)) + 1 || common.length + 1
  return [...options].sort((a, b) => rankOf(a) - rankOf(b))
}

/** A search that shows the options of a long list which contain a text */
function searchIn(list: HTMLElement): HTMLElement {
  const show = (): void => {
    for (const option of list.querySelectorAll<HTMLElement>('.check'))
      option.hidden = !option.textContent.toLowerCase().includes(input.value.trim().toLowerCase())
  }
  const input = h('input', { type: 'search', placeholder: text('search'), 'aria-label': text('search'), input: show })
  return input
}

function checkedOf(boxes: HTMLElement): number[] {
  return [...boxes.querySelectorAll<HTMLInputElement>('input:checked')].map(({ value }) => Number(value))
}

/** A text for each of the chosen options */
function mapControl({ name, label }: FormField, change: Change): Control {
  const element = h('div', { class: 'fields wide', 'data-field': name })
  const inputs = new Map<string, HTMLElement>()
  const inputOf = (path: string, option: string, value: unknown): HTMLElement => {
    const known = inputs.get(path)
    if (known) return known
    const input = field({ name: path, label: `${label}: ${option}`, value: asText(value) })
    input.addEventListener('input', ({ target }) => change(path, (target as HTMLInputElement).value))
    inputs.set(path, input)
    return input
  }
  return {
    element,
    show({ options, value }) {
      const values = (value ?? {}) as Record<string, unknown>
      const shown = options.map((option) => inputOf(`${name}.${option.value}`, option.label, values[option.value]))
      if (shown.length !== element.childElementCount || shown.some((input) => input.parentElement !== element))
        element.replaceChildren(...shown)
    },
  }
}

/** A file, with the stored one: an image, or a button that downloads it */
function fileControl({ name, accept = '', link, ...described }: FormField, change: Change): Control {
  const isImage = !accept.includes('pdf')
  const chosen = h('span', { class: 'hint' }, link === undefined ? text('noFile') : '')
  const preview = h('img', { alt: '', class: 'current', hidden: true })
  const showImage = (address: string): void => {
    preview.src = address
    preview.hidden = false
  }
  const choose = (): void => {
    const file = input.files?.[0]
    change(name, file)
    if (!file) return
    chosen.replaceChildren(h('bdi', {}, file.name), ` (${formatSize(file.size)})`)
    if (isImage) showImage(URL.createObjectURL(file))
  }
  const input = h('input', { id: name, name, type: 'file', accept, class: 'unseen', change: choose })
  const button = h('span', { class: 'button quiet', 'aria-hidden': true }, text('chooseFile'))
  const element = labelled({ ...described, name }, h('label', { class: 'file' }, input, button, chosen, preview))
  if (link !== undefined && isImage) showImage(tawthiq.files.url(link))
  if (link !== undefined && !isImage) element.append(downloadButton(link))
  return { element, show: () => undefined }
}

function downloadButton(link: string): HTMLElement {
  return actionButton(text('open'), async () => saveDownload(await tawthiq.files.get(link)), 'quiet')
}

function locationButton(change: Change): HTMLElement {
  const locate = (): Promise<GeolocationPosition | undefined> =>
    new Promise((resolve) => navigator.geolocation.getCurrentPosition(resolve, () => resolve(undefined)))
  const use = async (): Promise<void> => {
    const position = await locate()
    for (const name of position ? (['longitude', 'latitude'] as const) : [])
      change(name, position?.coords[name].toFixed(4))
  }
  return actionButton(text('useLocation'), use, 'quiet')
}

function asText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
