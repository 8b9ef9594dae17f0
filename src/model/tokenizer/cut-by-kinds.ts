/**
 * Words cut as BERT's splitter and those at white space cut them: runs of characters of one kind, for ASCII's visible
 * characters, spaces, tabs and line ends. A stretch between spaces that has other characters is one word.
 */
import { type AddedInText, ascii, plainSpaces } from './added-in-text.ts'
import type { Component } from './components.ts'
import { type Cut, longestWord } from './cut.ts'

/** Kinds of characters: runs of one kind are a word, a `single` is one by itself. */
const [unknown, space, single, word, other] = [0, 1, 2, 3, 4]
const [firstVisible, lastVisible] = [0x21, 0x7e]
/** Texts without spaces are stretches as long as they are: longer ones are not worth keeping. */
const longestStretch = 32

/** Undefined for other splitters. */
export function cutByKinds(splitters: readonly Component[], added: AddedInText): Cut | undefined {
  const kinds = kindsOf(splitters)
  return kinds && ((text, places) => cutText(text, { kinds, added, places }))
}

/** The kind of each ASCII character. */
function kindsOf(splitters: readonly Component[]): Uint8Array | undefined {
  const [splitter, ...more] = splitters
  const runs = more.length > 0 ? undefined : runKind[splitter?.type ?? '']
  if (runs === undefined) return undefined
  const kinds = new Uint8Array(ascii)
  for (let code = firstVisible; code <= lastVisible; code++) kinds[code] = runs(String.fromCharCode(code))
  for (const character of plainSpaces) kinds[character.charCodeAt(0)] = space
  return kinds
}

const runKind: Readonly<Record<string, (character: string) => number>> = {
  BertPreTokenizer: (character) => (/[a-z0-9]/i.test(character) ? word : single),
  // \w+|[^\w\s]+
  Whitespace: (character) => (/\w/.test(character) ? word : other),
  WhitespaceSplit: () => word,
}

interface KindCut {
  readonly kinds: Uint8Array
  readonly added: AddedInText
  readonly places: Int32Array
}

function cutText(text: string, { kinds, added, places }: KindCut): number {
  let [words, begin, run] = [0, 0, space]
  /** Beginning of this stretch between spaces, and the number of words before it. */
  let [stretch, before, plain] = [0, 0, true]
  for (let at = 0; at <= text.length; at++) {
    // a space ends the last word
    const code = at < text.length ? text.charCodeAt(at) : 0x20
    const kind = code < ascii ? (kinds[code] ?? unknown) : unknown
    if (kind === unknown && !added.withinStretches) return -1
    if (added.starts[code] === 1 && added.holds(text, at)) return -1
    plain &&= kind !== unknown
    if (kind === run && kind !== single) continue
    if (kind === space && !plain) {
      if (at - stretch > longestStretch) return -1
      words = before + 1
      places[2 * before] = ~stretch
      places[2 * before + 1] = at
    } else if (run !== space && plain) {
      if (at - begin > longestWord) return -1
      places[2 * words] = begin
      places[2 * words + 1] = at
      words++
    }
    if (run === space) {
      stretch = at
      before = words
    }
    if (kind === space) plain = true
    begin = at
    run = kind
  }
  return words
}
