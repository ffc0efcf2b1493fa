// Judging a password takes up to half a second of CPU, and its dictionaries 40 MB: both are in a worker thread.
import { guessesLog10 } from './guesses.ts'

export type Task = Readonly<{ password: string; words: readonly string[]; enoughLog10: number }>

export default function run({ password, words, enoughLog10 }: Task): number {
  return guessesLog10(password, words, enoughLog10)
}
