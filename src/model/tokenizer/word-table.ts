/**
 * Words and their tokens: a hash table over the characters themselves, so that a word of a text is found without making
 * a string of it.
 */

export interface WordTable {
  readonly words: number
  /** Ids of all words together. */
  readonly tokens: number
  /** The number of the word between two places of an ASCII text; a new word gets the next one. */
  find(text: string, begin: number, end: number): number
  /** Ids of the next word that has none yet, in the order of their numbers. */
  give(ids: Int32Array): void
  /** Copies the ids of a word to a place of `into`; returns the place after them. */
  copy(word: number, into: Int32Array, at: number): number
  length(word: number): number
}

/** `fold`: the character that stands for each ASCII character. */
export function wordTable(fold: Uint8Array): WordTable {
  let [words, given] = [0, 0]
  /** Number of a word plus one, at the place of its hash or the next free one; twice as many places as words. */
  let slots = new Int32Array(1 << 12)
  let hashes = new Int32Array(1 << 10)
  /** Word i has the characters between ends[i] and ends[i + 1]. */
  let ends = new Int32Array(1 << 10)
  let characters = new Uint8Array(1 << 13)
  let idEnds = new Int32Array(1 << 10)
  let ids = new Int32Array(1 << 11)

  const isAt = (word: number, text: string, begin: number, length: number): boolean => {
    const from = ends[word] ?? 0
    if ((ends[word + 1] ?? 0) - from !== length) return false
    for (let i = 0; i < length; i++) if (characters[from + i] !== fold[text.charCodeAt(begin + i)]) return false
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
  const add = (text: string, begin: number, end: number, hash: number): number => {
    const from = ends[words] ?? 0
    hashes = withRoom(hashes, words + 1)
    ends = withRoom(ends, words + 2)
    characters = withRoom(characters, from + end - begin)
    for (let i = begin; i < end; i++) characters[from + i - begin] = fold[text.charCodeAt(i)] ?? 0
    ends[words + 1] = from + end - begin
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
    find(text, begin, end) {
      const hash = hashOf(text, begin, end, fold)
      const mask = slots.length - 1
      for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
        const word = (slots[slot] ?? 0) - 1
        if (word < 0) return add(text, begin, end, hash)
        if (hashes[word] === hash && isAt(word, text, begin, end - begin)) return word
      }
    },
    give(own) {
      const from = idEnds[given] ?? 0
      idEnds = withRoom(idEnds, given + 2)
      ids = withRoom(ids, from + own.length)
      ids.set(own, from)
      idEnds[++given] = from + own.length
    },
    copy(word, into, at) {
      const end = idEnds[word + 1] ?? 0
      for (let i = idEnds[word] ?? 0; i < end; i++) into[at++] = ids[i] ?? 0
      return at
    },
    length: (word) => (idEnds[word + 1] ?? 0) - (idEnds[word] ?? 0),
  }
}

/** FNV-1a, its upper bits mixed into the lower ones, which choose the slot. http://www.isthe.com/chongo/tech/comp/fnv/ */
function hashOf(text: string, begin: number, end: number, fold: Uint8Array): number {
  let hash = 0x811c9dc5 | 0
  for (let i = begin; i < end; i++) hash = Math.imul(hash ^ (fold[text.charCodeAt(i)] ?? 0), 0x01000193)
  return hash ^ (hash >>> 15)
}

/** The same numbers in an array of at least `length`: doubled, so that growth costs little. */
function withRoom<A extends Int32Array | Uint8Array>(numbers: A, length: number): A {
  if (length <= numbers.length) return numbers
  const Numbers = numbers.constructor as new (length: number) => A
  const grown = new Numbers(Math.max(length, 2 * numbers.length))
  grown.set(numbers)
  return grown
}
