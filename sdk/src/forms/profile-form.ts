import type { Call } from '../call.ts'
import type { Tawthiq } from '../client.ts'
import type { Body, Data, FieldErrors, Schemas } from '../contract.ts'
import type { TawthiqError } from '../errors.ts'
import type { CallOptions } from '../options.ts'
import { lookupKey, type LookupItem } from './lookups.ts'
import { requiredFields, validateForm } from './validate.ts'
import { readValues, type FormSchema, type FormValues } from './values.ts'
import { applicableFields, describeForm, type FormGroup } from './view.ts'

export type ProfileFormState = {
  /** Whether the profile and its form are being read for the first time */
  pending: boolean
  /** Why something could not be read. The next change reads missing options again. */
  error: Error | undefined
  /** The fields that apply, with their values and options */
  groups: readonly FormGroup[]
  /** The stored profile */
  user: Schemas['UserProfile'] | undefined
}

/** The profile form of the user who is logged in */
export type ProfileForm = {
  get: () => ProfileFormState
  /** Calls a listener now and after each change. Returns a function that unsubscribes. */
  subscribe: (listener: (state: ProfileFormState) => void) => () => void
  /** Changes a value. `license_no.101` is a member of a map. Clears values that depend on the previous one. */
  set: (name: string, value: unknown) => void
  /** Returns the errors of the present values, for forms in steps. Empty if they can be saved */
  validate: () => FieldErrors<'updateProfile'>
  /** Validates the values and updates the profile. Fails with `invalid_data` without a request if a value is invalid. */
  save: (options?: CallOptions) => Call<Data<'updateProfile'>, 'updateProfile'>
}

type Client = Pick<Tawthiq, 'operation' | 'profile' | 'lookups'>
type Lookup = Schemas['FormLookup']
type List = (query?: object, options?: CallOptions) => Promise<{ items: readonly LookupItem[] }>
type Loaded = { form: FormSchema; user: Schemas['UserProfile'] }

/** Reads the profile, its form and the lookups, in the language of the client or of `options`. */
export function profileForm(client: Client, options: CallOptions = {}): ProfileForm {
  const listeners = new Set<(state: ProfileFormState) => void>()
  const lookups = new Map<string, readonly LookupItem[]>()
  const reading = new Map<string, Promise<void>>()
  let loaded: Loaded | undefined
  let values: FormValues = {}
  let state: ProfileFormState = { pending: true, error: undefined, groups: [], user: undefined }

  const publish = (error?: Error): void => {
    const groups = loaded ? describeForm(loaded.form, { values, stored: loaded.user, lookups }) : []
    state = { pending: false, error, groups, user: loaded?.user }
    listeners.forEach((listener) => listener(state))
  }
  const readLookup = async (key: string, { set, parent, query }: Lookup, read: FormValues): Promise<void> => {
    const name = set.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
    const list = (client.lookups as unknown as Record<string, List>)[name] // the names of its functions are those of the sets
    const filter = parent !== undefined && query !== undefined ? { [query]: read[parent] } : {}
    lookups.set(key, (await list?.(filter, options))?.items ?? [])
  }
  const readLookups = async (): Promise<void> => {
    if (!loaded) return
    const read = readValues(loaded.form, values)
    const needed = Object.values(loaded.form.properties).flatMap((field) => field['x-lookup'] ?? [])
    const reads = needed.flatMap((lookup) => {
      const key = lookupKey(lookup, read)
      if (key === undefined || lookups.has(key)) return []
      const running = reading.get(key) ?? readLookup(key, lookup, read).finally(() => reading.delete(key))
      reading.set(key, running)
      return [running]
    })
    await Promise.all(reads)
  }
  const follow = (read: Promise<void>): void =>
    void read.then(
      () => publish(),
      (error: unknown) => publish(error as Error),
    )
  const show = (user: Schemas['UserProfile'], form: FormSchema): void => {
    loaded = { form, user }
    values = valuesOf(user, form)
  }

  follow(
    client.profile.get(options).then(async ({ user }) => {
      const query = { account_type: user.account_type }
      show(user, await client.operation('getProfileForm', undefined, { ...options, query }))
      await readLookups()
    }),
  )
  const errorsOf = ({ form, user }: Loaded, sent: FormValues): FieldErrors<'updateProfile'> =>
    validateForm(form, sent, { stored: user, lookups })

  return {
    get: () => state,
    subscribe(listener) {
      listeners.add(listener)
      listener(state)
      return () => listeners.delete(listener)
    },
    set(name, value) {
      if (!loaded) return
      values = changeValue(loaded.form, values, name, value)
      publish()
      follow(readLookups())
    },
    validate: () => (loaded ? errorsOf(loaded, valuesToSend(loaded.form, values, loaded.user)) : {}),
    save(callOptions) {
      if (!loaded) return reject({})
      const { form, user } = loaded
      const sent = valuesToSend(form, values, user)
      const errors = errorsOf(loaded, sent)
      if (Object.keys(errors).length > 0) return reject(errors)
      const call = client.profile.update(readValues(form, sent) as Body<'updateProfile'>, {
        ...options,
        ...callOptions,
      })
      void call.then(
        ({ user }) => {
          show(user, form)
          publish()
        },
        () => undefined, // the caller handles it
      )
      return call
    },
  }
}

/** Returns the values of a profile that can be sent back. */
function valuesOf(user: object, { properties }: FormSchema): FormValues {
  const isSent = ([name, value]: [string, unknown]): boolean => {
    const field = properties[name]
    return value !== null && field !== undefined && !field['x-file']
  }
  return Object.fromEntries(Object.entries(user).filter(isSent))
}

/** Returns changed values, without those that depend on the previous one. */
export function changeValue(form: FormSchema, values: FormValues, path: string, value: unknown): FormValues {
  const [name = '', key] = path.split('.')
  const changed = { ...values, [name]: key === undefined ? value : { ...(values[name] as object), [key]: value } }
  const chosen = [changed[name]].flat().map(String)
  return Object.entries(form.properties).reduce<FormValues>((result, [other, field]) => {
    if (field['x-keys'] === name) {
      const kept = Object.entries(Object(result[other]) as object).filter(([member]) => chosen.includes(member))
      return { ...result, [other]: Object.fromEntries(kept) }
    }
    const isChild = field['x-lookup']?.parent === name && String(values[name]) !== String(value)
    return isChild ? changeValue(form, result, other, undefined) : result
  }, changed)
}

/** Leaves out fields that are not shown, whose errors could not be seen. */
function valuesToSend(form: FormSchema, values: FormValues, stored: object): FormValues {
  const applicable = applicableFields(form, values, requiredFields(form, values, stored))
  return Object.fromEntries(Object.entries(values).filter(([name]) => applicable.includes(name)))
}

function reject(fields: FieldErrors<'updateProfile'>): Call<Data<'updateProfile'>, 'updateProfile'> {
  const word = 'invalid_data'
  const details = { name: 'TawthiqError', code: word, word, operation: 'updateProfile', status: 0, fields }
  const error = Object.assign(new Error(word), details) as Error & Omit<TawthiqError<'updateProfile'>, never>
  const rejected = Promise.reject(error)
  rejected.catch(() => undefined)
  return Object.assign(rejected, {
    result: async () => ({ ok: false, error }) as const,
    withResponse: () => rejected,
  })
}
