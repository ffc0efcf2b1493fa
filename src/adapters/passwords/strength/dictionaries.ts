// zxcvbn looks up every part of a password, in several spellings, in each of thirty dictionaries. Merged into one, with
// the best rank of each word, they give the same number of guesses in a fifth of the time.
import type { Options } from '@zxcvbn-ts/core'

export type Dictionaries = Readonly<Record<string, readonly string[]>>

type Merged = { ranks: Record<string, number>; lengthMax: number }

/** One of zxcvbn's names for words that form sequences (`monday`, `tuesday`), which have a matcher of their own */
const SEQUENCES = 'cardinalNumbers'

/**
 * Replaces the dictionaries of zxcvbn by merged ones.
 *
 * @param dictionaries words, most common first
 */
export function mergeDictionaries(options: Options, dictionaries: Dictionaries): void {
  const lists = Object.entries(dictionaries)
  const words = merge(lists.filter(([name]) => !options.isWordSequence(name)).map(([, list]) => list))
  const sequences = merge(lists.filter(([name]) => options.isWordSequence(name)).map(([, list]) => list))
  options.rankedDictionaries = { words: words.ranks, [SEQUENCES]: sequences.ranks }
  options.rankedDictionariesMaxWordSize = { words: words.lengthMax, [SEQUENCES]: sequences.lengthMax }
}

function merge(lists: readonly (readonly string[])[]): Merged {
  const merged: Merged = { ranks: Object.create(null) as Record<string, number>, lengthMax: 0 }
  for (const list of lists) {
    for (const [index, word] of list.entries()) {
      merged.ranks[word] = Math.min(index + 1, merged.ranks[word] ?? Infinity)
      merged.lengthMax = Math.max(merged.lengthMax, word.length)
    }
  }
  return merged
}
