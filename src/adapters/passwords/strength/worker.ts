// A check takes up to half a second of CPU time, and its dictionaries 40 MB, so both are in a worker thread.
import { estimateGuessesLog10 } from './guesses.ts'

export type Task = Readonly<{ password: string; words: readonly string[]; enoughLog10: number }>

export default function run({ password, words, enoughLog10 }: Task): number {
  return estimateGuessesLog10(password, words, enoughLog10)
}
