/** Tokenizers without a vocabulary: every character is a token, and its code point the id (CANINE: Clark et al. 2022). */
import { invalid } from './checks.ts'
import type { Definition } from './definition.ts'
import type { Engine } from './engine.ts'

/** Code points of Unicode. */
export const codePoints = 0x11_00_00

/** The id of a token of one character; undefined for any other. */
export function toCodePoint(token: string): number | undefined {
  const [first, ...more] = token
  return more.length === 0 ? first?.codePointAt(0) : undefined
}

/** Undefined for an id that is no character's. */
export function toCharacter(id: number): string | undefined {
  return Number.isInteger(id) && id >= 0 && id < codePoints ? String.fromCodePoint(id) : undefined
}

/**
 * Half of a surrogate pair counts as U+FFFD, as for the native core. Throws `tokenizer.invalid` for added tokens of several
 * characters, whose ids would lie beyond those of characters.
 */
export function openCodePoints({ addedTokens }: Definition, place: string): Engine {
  const long = addedTokens.find(({ content }) => toCodePoint(content) === undefined)
  if (long !== undefined) throw invalid(place, 'an added token of several characters', long.content, 'one character')
  const special = new Set(addedTokens.filter((token) => token.special).map(({ content }) => content))
  const splitCharacters = (text: string): string[] =>
    Array.from(text, (character) => (/^[\uD800-\uDFFF]$/.test(character) ? '\uFFFD' : character))
  return {
    async encode(texts, wantsOffsets) {
      const bodies = texts.map(splitCharacters)
      const ends = new Int32Array(texts.length)
      let total = 0
      bodies.forEach((body, index) => {
        total += body.length
        ends[index] = total
      })
      const ids = new Int32Array(total)
      const offsets = wantsOffsets ? new Int32Array(2 * total) : undefined
      bodies.forEach((body, index) => {
        const begin = ends[index - 1] ?? 0
        body.forEach((character, place) => {
          ids[begin + place] = character.codePointAt(0) ?? 0
          offsets?.set([place, place + 1], 2 * (begin + place))
        })
      })
      return { ids, ends, offsets }
    },
    decode: async (ids, skipSpecialTokens) =>
      ids
        .map((id) => toCharacter(id) ?? '')
        .filter((character) => !(skipSpecialTokens && special.has(character)))
        .join(''),
    split: async (texts) => texts.map((normal) => ({ normal, pieces: splitCharacters(normal) })),
  }
}
