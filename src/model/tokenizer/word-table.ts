/**
 * Words and their tokens: a hash table over the characters themselves, so that a word of a text is found without making
 * a string of it.
 */

export interface WordTable {
  readonly words: number
  /** Ids of all words together. */
  readonly tokens: number
  /**
   * The number of the word between two places of a text; a new word gets the next one. Plain words have ASCII
   * characters only, which are folded.
   */
  find(text: string, begin: number, end: number, plain: boolean): number
  /** Ids of the next word that has none yet, in the order of their numbers. */
  give(ids: Int32Array): void
  /** Copies the ids of a word to a place of `into`; returns the place after them. */
  copy(word: number, into: Int32Array, at: number): number
  length(word: number): number
}

/** `fold`: the character that stands for each ASCII character of a plain word. */
export function wordTable(fold: Uint8Array): WordTable {
  let [words, given] = [0, 0]
  /** Number of a word plus one, at the place of its hash or the next free one; twice as many places as words. */
  let slots = new Int32Array(1 << 12)
  let hashes = new Int32Array(1 << 10)
  /** Word i has the characters between ends[i] and ends[i + 1]. */
  let ends = new Int32Array(1 << 10)
  let characters = new Uint16Array(1 << 13)
  let idEnds = new Int32Array(1 << 10)
  let ids = new Int32Array(1 << 11)
  /** The word that is looked for. */
  let wanted = new Uint16Array(256)

  const isWanted = (word: number, length: number): boolean => {
    const from = ends[word] ?? 0
    if ((ends[word + 1] ?? 0) - from !== length) return false
    for (let i = 0; i < length; i++) if (characters[from + i] !== wanted[i]) return false
    return true
  }
  const freeSlot = (hash: number): number => {
    let slot = hash & (slots.length - 1)
    while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1)
    return slot
  }
  const rehash = (): void => {
    slots = new Int32Array(2 * slots.length)
    for (let word = 0; word < words; word++) slots[freeSlot(hashes[word] ?? 0)] = word + 1
  }
  const addWanted = (length: number, hash: number): number => {
    const from = ends[words] ?? 0
    hashes = withRoom(hashes, words + 1)
    ends = withRoom(ends, words + 2)
    characters = withRoom(characters, from + length)
    characters.set(wanted.subarray(0, length), from)
    ends[words + 1] = from + length
    hashes[words] = hash
    slots[freeSlot(hash)] = ++words
    if (2 * words > slots.length) rehash()
    return words - 1
  }

  return {
    get words() {
      return words
    },
    get tokens() {
      return idEnds[given] ?? 0
    },
    find(text, begin, end, plain) {
      const length = end - begin
      wanted = withRoom(wanted, length)
      // FNV-1a: http://www.isthe.com/chongo/tech/comp/fnv/
      let hash = 0x811c9dc5 | 0
      for (let i = 0; i < length; i++) {
        const code = text.charCodeAt(begin + i)
        const character = plain ? (fold[code] ?? 0) : code
        wanted[i] = character
        hash = Math.imul(hash ^ character, 0x01000193)
      }
      // the lower bits choose the slot
      hash ^= hash >>> 15
      const mask = slots.length - 1
      for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
        const word = (slots[slot] ?? 0) - 1
        if (word < 0) return addWanted(length, hash)
        if (hashes[word] === hash && isWanted(word, length)) return word
      }
    },
    give(answer) {
      const from = idEnds[given] ?? 0
      idEnds = withRoom(idEnds, given + 2)
      ids = withRoom(ids, from + answer.length)
      ids.set(answer, from)
      idEnds[++given] = from + answer.length
    },
    copy(word, into, at) {
      const end = idEnds[word + 1] ?? 0
      for (let i = idEnds[word] ?? 0; i < end; i++) into[at++] = ids[i] ?? 0
      return at
    },
    length: (word) => (idEnds[word + 1] ?? 0) - (idEnds[word] ?? 0),
  }
}

/** The same numbers in an array of at least `length`: doubled, so that growth costs little. */
function withRoom<A extends Int32Array | Uint16Array>(numbers: A, length: number): A {
  if (length <= numbers.length) return numbers
  const Numbers = numbers.constructor as new (length: number) => A
  const grown = new Numbers(Math.max(length, 2 * numbers.length))
  grown.set(numbers)
  return grown
}
