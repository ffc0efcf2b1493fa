// What the providers of SMS have in common.
import type { TArray, TOptional, TString } from '@sinclair/typebox'
import { text, texts, type Missing } from '../variable-kinds.ts'

/** A kind of provider: the variables that it needs, and its configuration. */
export type ProviderKind<Given, ProviderConfig = unknown> = Readonly<{
  required: readonly (keyof Given & string)[]
  /** Missing variables were rejected before. */
  parse(given: Given): ProviderConfig
  /** Lists what is missing because of other variables. */
  problems?(given: Partial<Given>, missing: Missing<Given>): string[]
}>

export function sender(provider: string): TOptional<TString> {
  return text({
    about: `Registered sender name of the provider \`${provider}\`. Required with it.`,
    accepts: 'at most 11 letters, digits, spaces and -',
    pattern: '^[A-Za-z0-9 -]{1,11}$',
  })
}

export function receiptTokens(provider: string): TOptional<TArray<TString>> {
  return texts('^[A-Za-z0-9_-]{32,200}$', {
    about: `Secret tokens in the URL to which \`${provider}\` sends receipts. List the old and the new one during a rotation.`,
    accepts: '32 to 200 letters, digits, - and _, or a list of these',
    shown: 'none; receipts are rejected',
    isSecret: true,
  })
}
