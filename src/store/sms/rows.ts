import type { ConversionState, MessageOutcome } from '../../domain/phones/conversion.ts'

/** The labels of a message in metrics; the country is null if the message is not stored yet. */
export type Counted = Readonly<{ provider: string; callingCode: string | null }>

type Route = Readonly<{ provider: string; channel: string; callingCode: string }>

/** The state of a provider for a channel and a country */
export type MessageCircuit = Route &
  Readonly<{
    state: ConversionState
    /** Changes with each change of the state */
    version: Date
    due: readonly MessageOutcome[]
    reported: readonly MessageOutcome[]
    /** The networks of the messages since the last one that is known to have arrived, newest first */
    waiting: readonly string[]
  }>

export type PausedProvider = Route & Readonly<{ retryAt: Date; isOver: boolean }>

/** The messages that were sent in an hour, and what became of them */
export type ConversionHour = Route &
  Readonly<{
    hour: Date
    sent: number
    delivered: number
    failed: number
    confirmed: number
    /** Median seconds from the send to the receipt of the delivery; null without deliveries */
    medianSeconds: number | null
  }>
