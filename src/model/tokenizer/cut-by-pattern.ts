/**
 * Words cut as a byte-level tokenizer's regular expression cuts them, for texts of ASCII's visible characters, spaces,
 * tabs and line ends. A word is cut from nothing but itself when it stands alone.
 */
import { type AddedInText, ascii } from './added-in-text.ts'
import type { Component } from './components.ts'
import { asciiPattern, gpt2 } from './patterns.ts'
import { type Cut, longestWord } from './cut.ts'

/** Undefined for other splitters, and where the first word of a text is spelled otherwise than the same word later. */
export function cutByPattern(splitters: readonly Component[], added: AddedInText): Cut | undefined {
  const source = patternOf(splitters)
  const pattern = source === undefined ? undefined : asciiPattern(source)
  return pattern && ((text, places) => cutText(text, { pattern, added, places }))
}

function patternOf([first, second, ...more]: readonly Component[]): string | undefined {
  if (first === undefined || more.length > 0) return undefined
  if (first.type === 'ByteLevel')
    return second === undefined && first['use_regex'] === true && first['add_prefix_space'] === false ? gpt2 : undefined
  const isSplit = first.type === 'Split' && first['behavior'] === 'Isolated' && first['invert'] === false
  if (!isSplit || second?.type !== 'ByteLevel' || second['use_regex'] === true) return undefined
  return (first['pattern'] as { readonly Regex?: string }).Regex
}

interface PatternCut {
  readonly pattern: RegExp
  readonly added: AddedInText
  readonly places: Int32Array
}

function cutText(text: string, { pattern, added, places }: PatternCut): number {
  if (!/^[\t\n\r -~]*$/.test(text)) return -1
  for (let at = 0; at < text.length; at++)
    if (added.starts[text.charCodeAt(at) % ascii] === 1 && added.holds(text, at)) return -1
  let words = 0
  for (let begin = 0; begin < text.length; begin = pattern.lastIndex) {
    pattern.lastIndex = begin
    if (!pattern.test(text) || pattern.lastIndex - begin > longestWord) return -1
    places[2 * words] = begin
    places[2 * words + 1] = pattern.lastIndex
    words++
  }
  return words
}
