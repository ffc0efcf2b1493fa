// The second factors of the account: the authenticator app, passkeys and recovery codes.
import { isTawthiqError, type Body, type Call, type Data } from '@tawthiq/sdk'
import { encode } from 'uqr'
import { confirmed, factors, passkeys } from '../client.ts'
import { askFactor, askPassword } from '../password-dialog.ts'
import { drawCells, h } from '../dom.ts'
import { field } from '../fields.ts'
import { formatDate, text } from '../language.ts'
import { render } from '../render.ts'
import { hasPasskeys } from '../settings.ts'
import { withSteps } from '../steps.ts'
import { actionButton, actionForm, notice } from '../submit.ts'
import { codeField } from './phone-step.ts'

type Passkey = Data<'getFactors'>['passkeys'][number]

export async function factorsSection(): Promise<HTMLElement> {
  const { passkeys: added, totp_added_at: addedAt, recovery_codes_left: left, reset_at: resetAt } = await factors.get()
  const steps = withSteps(h('section', { class: 'group', id: 'factors-section' }), () => [
    h('h2', {}, text('factors')),
    resetAt === null ? null : notice(`${text('resetPending')} ${formatDate(resetAt)}.`, 'bad'),
    ...(addedAt === null ? addApp() : app(addedAt)),
    h('ul', { class: 'list' }, ...added.map(passkeyItem)),
    hasPasskeys ? addPasskey() : null,
    addedAt === null && added.length === 0 ? null : recoveryCodes(left),
  ])
  return steps.place

  function addApp(): Node[] {
    const begin = async (): Promise<void> => {
      const begun = await proven((proof) => factors.beginTotp(proof))
      if (begun) steps.show(() => [h('h2', {}, text('factors')), ...confirmApp(begun)])
    }
    return [h('p', {}, text('factorsHint')), actionButton(text('addApp'), begin)]
  }

  function confirmApp({ uri, secret }: Data<'beginTotp'>): Node[] {
    const code = h('div', { class: 'qr' }, drawCells(encode(uri, { border: 0 }).data))
    const confirm = async (body: Body<'confirmTotp'>): Promise<void> => {
      show(await confirmed(() => factors.confirmTotp(body)))
    }
    return [
      h('p', {}, text('scanHint')),
      code,
      h('p', {}, h('bdi', { dir: 'ltr', class: 'secret' }, secret)),
      actionForm(confirm, text('confirm'), codeField('code')),
    ]
  }

  function addPasskey(): HTMLElement {
    const add = async ({ name }: { name: string }): Promise<void> => {
      const added = await proven((proof) => passkeys.add(name, proof))
      if (added) show(added)
    }
    const form = actionForm(add, text('addPasskey'), field({ name: 'name', label: text('passkeyName') }))
    return h('details', {}, h('summary', {}, text('addPasskey')), form)
  }

  function recoveryCodes(left: number): HTMLElement {
    const renew = async (): Promise<void> => {
      const renewed = await proven((proof) => factors.renewRecoveryCodes(proof))
      if (renewed) show(renewed)
    }
    const count = h('p', {}, `${text('codesLeft')}: ${String(left)}`)
    return h('div', { class: 'codes' }, count, actionButton(text('renewCodes'), renew, 'quiet'))
  }

  /** Shows new recovery codes, which cannot be read again. */
  function show({ recovery_codes: codes }: { recovery_codes: readonly string[] | null }): void {
    if (codes === null) return void render()
    steps.show(() => [
      h('h2', {}, text('recoveryCodes')),
      h('p', {}, text('recoveryHint')),
      h('pre', { id: 'recovery-codes', dir: 'ltr' }, codes.join('\n')),
      actionButton(text('done'), () => render()),
    ])
  }
}

function app(addedAt: string): Node[] {
  const remove = async (): Promise<void> => {
    await proven((proof) => factors.removeTotp(proof))
    await render()
  }
  return [h('p', {}, `${text('appAdded')} ${formatDate(addedAt)}`), actionButton(text('removeApp'), remove, 'quiet')]
}

function passkeyItem({ id, name, added_at: addedAt }: Passkey): HTMLElement {
  const remove = async (): Promise<void> => {
    await proven((proof) => passkeys.remove(id, proof))
    await render()
  }
  const about = h('div', {}, h('strong', { dir: 'auto' }, name), h('p', {}, formatDate(addedAt)))
  return h('li', {}, about, actionButton(text('remove'), remove, 'quiet'))
}

/**
 * Makes a call that changes the second factors. Asks for the password, and for an established factor if the account has one.
 * Resolves to null if the user cancels.
 */
async function proven<Result>(call: (proof: Body<'removeTotp'>) => Call<Result>): Promise<Result | null> {
  const given = await askPassword()
  if (given === null) return null
  try {
    return await confirmed(() => call({ password: given.password }), given)
  } catch (error) {
    if (!isTawthiqError(error) || error.code !== 'mfa_required') throw error
    const factor = await askFactor(error.methods)
    if (factor === null) return null
    return call(factor === 'passkey' ? await passkeys.prove() : factor)
  }
}
