// Challenges, which the service asks for before it sends a code while a network or a country is under attack.
import { isTawthiqError, type Call } from '@tawthiq/sdk'
import { h } from './dom.ts'
import { language, text } from './language.ts'
import { ask } from './password-dialog.ts'
import { settings } from './settings.ts'
import { notice } from './submit.ts'

type Widget = { render(place: HTMLElement, options: object): string }
type Loaded = Partial<Record<'turnstile' | 'hcaptcha', Widget>>

const SCRIPTS = {
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit',
  hcaptcha: 'https://js.hcaptcha.com/1/api.js?render=explicit',
}
const LOAD_MS_MAX = 15_000

/** Makes a call that sends a code. If it needs the solution of a challenge, shows one and makes the call once more. */
export async function challenged<Data>(
  call: (solution: { challenge_response?: string }) => Call<Data>,
): ReturnType<Call<Data>['withResponse']> {
  try {
    return await call({}).withResponse()
  } catch (error) {
    if (!isTawthiqError(error) || error.code !== 'challenge_required' || !settings.challenge) throw error
    const solution = await solve(settings.challenge)
    if (solution === null) throw error
    return call({ challenge_response: solution }).withResponse()
  }
}

/** Resolves to null if the user cancels. */
function solve({ widget, siteKey }: NonNullable<typeof settings.challenge>): Promise<string | null> {
  return ask<string>(
    (end) => {
      const place = h('div', { class: 'widget' })
      const fail = (): void => place.replaceChildren(notice(text('challengeBlocked'), 'bad'))
      const options = {
        sitekey: siteKey,
        callback: end,
        language: language(),
        hl: language(),
        'error-callback': fail,
      }
      load(widget).then((loaded) => loaded.render(place, options), fail)
      return [h('h2', {}, text('challengeNeeded')), place]
    },
    { hasButton: false },
  )
}

/** Loads a widget when it is needed first. Blockers of advertisements may not allow it. */
function load(widget: 'turnstile' | 'hcaptcha'): Promise<Widget> {
  return new Promise((resolve, reject) => {
    const loaded = (): void => {
      const found = (window as Loaded)[widget]
      if (found) resolve(found)
      else reject(new Error('the script has no widget'))
    }
    if (widget in window) {
      loaded()
      return
    }
    const script = h('script', { src: SCRIPTS[widget], async: true, load: loaded, error: reject })
    setTimeout(reject, LOAD_MS_MAX)
    document.head.append(script)
  })
}
