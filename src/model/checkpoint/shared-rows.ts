/**
 * Token rows of texts that several models of one tokenizer are asked about in turn, such as the classifiers of a study:
 * each list of texts passes the tokenizer once.
 */
import type { TokenRow } from '#model/passes'

/** What decides the ids, besides the texts. */
export interface RowsRequest {
  /** The tokenizer's. */
  readonly identity: string
  readonly prompt: string | null
  readonly maxLength: number
  readonly lowerCase: boolean
  readonly chat: boolean
}

interface Tokenised {
  readonly request: string
  readonly texts: readonly string[]
  readonly rows: readonly TokenRow[]
}

/** Bytes of a row besides its ids: two arrays and an object. */
const rowBytes = 256

/**
 * Rows from memory, or else from `tokenise`. The first lists stay, as far as `bytes` have room (64 MiB), until another
 * tokenizer is asked. Callers share rows and must not write into them.
 */
export function sharedRows({ bytes = 2 ** 26 }: { readonly bytes?: number } = {}) {
  let lists: Tokenised[] = []
  let [owner, left] = ['', bytes]
  return async (
    texts: readonly string[],
    { identity, prompt, maxLength, lowerCase, chat }: RowsRequest,
    tokenise: () => Promise<readonly TokenRow[]>,
  ): Promise<readonly TokenRow[]> => {
    if (identity !== owner) [owner, left, lists] = [identity, bytes, []]
    const request = JSON.stringify([prompt, maxLength, lowerCase, chat])
    const found = lists.find((one) => one.request === request && areSame(one.texts, texts))
    if (found !== undefined) return found.rows
    const rows = await tokenise()
    const size = rows.reduce((sum, { ids, typeIds }) => sum + rowBytes + ids.byteLength + typeIds.byteLength, 0)
    if (size <= left && identity === owner) {
      left -= size
      lists.push({ request, texts: [...texts], rows })
    }
    return rows
  }
}

function areSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((text, at) => text === b[at])
}
