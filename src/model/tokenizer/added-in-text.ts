/**
 * Which texts may hold an added token: asked of texts before they are cut into words. Case and kind of white space
 * aside, so that some are taken to hold one which do not.
 */
import type { AddedToken } from './definition.ts'

/** Characters of a plain text have codes below it. */
export const ascii = 128
/** White space of a plain text; its other characters are visible. */
export const plainSpaces = '\t\n\r '

export interface AddedInText {
  /** Whether no token can reach from one stretch between spaces into the next, however it is spelled. */
  readonly withinStretches: boolean
  /** 1 for the first characters of added tokens. */
  readonly starts: Uint8Array
  /** Whether one may begin at a place of a text whose character has a 1. */
  holds(text: string, at: number): boolean
}

/** Undefined where normalization may turn an added token into something else than its letters. */
export function addedInText(tokens: readonly AddedToken[], normalizes: boolean): AddedInText | undefined {
  const starts = new Uint8Array(ascii)
  /** By their first two characters. */
  const byStart = new Map<number, string[]>()
  let withinStretches = true
  for (const { content, normalized } of tokens) {
    if (content === '') continue
    if (/\s/.test(content) && (normalized || !isPlain(content))) withinStretches = false
    if (!isPlain(content)) {
      if (normalized && normalizes) return undefined
      continue
    }
    const plain = plainForm(content)
    const start = startKey(plain.charCodeAt(0), plain.charCodeAt(1))
    byStart.set(start, [...(byStart.get(start) ?? []), plain])
    plainCodes.forEach((code, spelled) => {
      if (code === plain.charCodeAt(0)) starts[spelled] = 1
    })
  }
  return {
    withinStretches,
    starts,
    holds(text, at) {
      const first = plainCodes[text.charCodeAt(at)] ?? 0
      const listed = (second: number): boolean =>
        byStart.get(startKey(first, second))?.some((token) => isAt(token, text, at)) === true
      const second = plainCodes[text.charCodeAt(at + 1)]
      return listed(0) || (second !== undefined && listed(second))
    },
  }
}

/** Keys of a token of one character have NaN, that is 0, for the second. */
function startKey(first: number, second: number): number {
  return (first << 7) | second
}

/** The small letter of a capital one. */
export function lowerCode(code: number): number {
  return code >= 0x41 && code <= 0x5a ? code | 0x20 : code
}

function isPlain(text: string): boolean {
  return /^[\t\n\r -~]*$/.test(text)
}

/** Each ASCII character in its plain form. */
const plainCodes = Uint8Array.from({ length: ascii }, (_, code) =>
  plainSpaces.includes(String.fromCharCode(code)) ? 0x20 : lowerCode(code),
)

function isAt(token: string, text: string, at: number): boolean {
  for (let i = 0; i < token.length; i++) if (plainCodes[text.charCodeAt(at + i)] !== token.charCodeAt(i)) return false
  return true
}

function plainForm(text: string): string {
  return text.replace(/[\t\n\r]/g, ' ').toLowerCase()
}
