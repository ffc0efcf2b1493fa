// The form below an operation of the reference that sends a request, with the access token of the last login.
import { create, read, store } from './dom.js'

const WORDS = {
  en: { token: 'Access token', body: 'Body', send: 'Send', failed: 'There is no response. Is the service running?' },
  ar: { token: 'رمز الوصول', body: 'المحتوى', send: 'إرسال', failed: 'لا توجد استجابة. هل الخدمة تعمل؟' },
}
const TOKEN_KEY = 'tawthiq-docs-token'
const TOKEN_PATHS = /\/api\/v1\/(auth\/(login|register|refresh|reauthenticate)|profile\/password)$/
/** What a browser shows of a response, besides its body */
const SHOWN_HEADERS = ['error-code', 'retry-after', 'etag', 'x-request-id']

const language = document.documentElement.lang
const words = WORDS[language]

/** Returns the form of an operation, which requests the service at a URL. */
export function newForm(section, server) {
  const { method, path, parameters, media, files = [], isSecured } = JSON.parse(section.dataset.try)
  const form = create('form', { className: 'try' })
  const add = (name, control) => {
    control.id = `try-${section.id}-${name}`
    control.dir = 'ltr'
    form.append(create('label', { htmlFor: control.id, textContent: name }), control)
    return control
  }
  const token = isSecured
    ? add(words.token, create('input', { autocomplete: 'off', value: read('sessionStorage', TOKEN_KEY) }))
    : undefined
  const inputs = parameters.map((parameter) => {
    const { name, isRequired: required, example: placeholder } = parameter
    const value = name === 'Accept-Language' ? language : ''
    return { ...parameter, input: add(name, create('input', { required, placeholder, value })) }
  })
  const example = section.querySelector('.example pre')?.textContent.trim() ?? ''
  const rows = Math.min(example.split('\n').length + 1, 24)
  const body = media && add(words.body, create('textarea', { value: example, rows, spellcheck: false }))
  const uploads = files.map((name) => ({ name, input: add(name, create('input', { type: 'file' })) }))
  const output = create('div', { ariaLive: 'polite' })
  form.append(create('button', { textContent: words.send }), output)

  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    try {
      const url = addressOf(server + path, inputs)
      const headers = inputs.filter(({ place, input }) => place === 'header' && input.value).map(toPair)
      if (token?.value) headers.push(['authorization', `Bearer ${token.value}`])
      const sent = bodyOf(media, body?.value, uploads)
      if (typeof sent === 'string') headers.push(['content-type', media])
      const response = await fetch(url, { method: method.toUpperCase(), headers, body: sent })
      output.replaceChildren(await describe(response))
    } catch (error) {
      const message = error instanceof SyntaxError ? error.message : words.failed
      output.replaceChildren(create('p', { textContent: message }))
    }
  })
  return form
}

function toPair({ name, input }) {
  return [name, input.value]
}

/** Returns the address with the parameters of the path and the query. */
function addressOf(address, inputs) {
  const at = (place) => inputs.filter((each) => each.place === place && each.input.value)
  const fill = (text, { name, input }) => text.replace(`{${name}}`, encodeURIComponent(input.value))
  const filled = at('path').reduce(fill, address)
  const query = new URLSearchParams(at('query').map(toPair)).toString()
  return query ? `${filled}?${query}` : filled
}

/** Returns the JSON, or a form of its members: lists repeat their name, and maps have brackets. */
function bodyOf(media, text, uploads) {
  if (!media || !text?.trim()) return undefined
  const value = JSON.parse(text)
  if (media.endsWith('json')) return text
  const form = media === 'multipart/form-data' ? new FormData() : new URLSearchParams()
  for (const [name, member] of Object.entries(value)) {
    if (Array.isArray(member)) member.forEach((item) => form.append(name, item))
    else if (typeof member === 'object' && member !== null)
      Object.entries(member).forEach(([key, item]) => form.append(`${name}[${key}]`, item))
    else if (member !== '' && member !== null) form.append(name, member)
  }
  for (const { name, input } of uploads) if (input.files[0]) form.append(name, input.files[0])
  return form
}

/** Returns the status, the headers and the body of a response, and keeps an access token in it for the pages of this tab. */
async function describe(response) {
  const type = response.headers.get('content-type') ?? ''
  const text = type.includes('json') ? await response.text() : `${(await response.blob()).size} B, ${type}`
  const json = type.includes('json') && text ? JSON.parse(text) : undefined
  const token = response.ok && TOKEN_PATHS.test(new URL(response.url).pathname) && json?.data?.account?.token
  if (token) {
    store('sessionStorage', TOKEN_KEY, token)
    document.querySelectorAll(`.try input[id$="-${words.token}"]`).forEach((input) => (input.value = token))
  }
  const shown = SHOWN_HEADERS.filter((name) => response.headers.has(name))
  const headers = shown.map((name) => `${name}: ${response.headers.get(name)}`)
  const content = json ? JSON.stringify(json, null, 2) : text
  const lines = [`${response.status} ${response.statusText}`, ...headers, '', content]
  return create('pre', { textContent: lines.join('\n'), tabIndex: 0 })
}
