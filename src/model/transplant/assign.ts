/**
 * Where each row of a transplanted table comes from: a row of the model that means the same, or none, and then it has
 * to be made up.
 */
import { byteKey, prefixKeys, type Script, scriptOf, tokenKey, type TokenTable } from './token-keys.ts'

/** Roles of tensors that a kind of match is allowed for. */
export const matchWords = ['no', 'lm_head', 'embed', 'yes'] as const
export type MatchWord = (typeof matchWords)[number]

export function isAllowed(word: MatchWord, head: boolean): boolean {
  return word === 'yes' || word === (head ? 'lm_head' : 'embed')
}

/** Both vocabularies, ready to be asked. */
export interface Vocabularies {
  /** Rows of the output: the donor's ids. */
  readonly rows: number
  readonly model: TokenTable
  readonly donor: TokenTable
  readonly donorScript: Script
  readonly modelScript: Script
  /** Key → model's id, tokens that must not be used left out. */
  readonly modelIds: ReadonlyMap<string, number>
  /** Donor ids whose row is to be nothing. */
  readonly junk: ReadonlySet<number>
}

/** How a token's row is found. */
export type Kind = 'shared' | 'byte' | 'prefix' | 'made' | 'zero'

export interface Assignment {
  /** Row of the model that is copied; −1 for one to be made up, −2 for zeros. */
  readonly from: Int32Array
  /** Donor ids of tokens that both have, ascending. */
  readonly shared: Int32Array
  /** Donor ids of tokens to make up, ascending. */
  readonly made: Int32Array
  readonly counts: Readonly<Record<Kind, number>>
}

const makeUp = -1
export const nothing = -2

export function vocabulariesOf(
  model: TokenTable,
  donor: TokenTable,
  { junk = new Set() }: { junk?: ReadonlySet<number> } = {},
): Vocabularies {
  const [modelScript, donorScript] = [scriptOf(model), scriptOf(donor)]
  const modelIds = new Map<string, number>()
  model.tokens.forEach((token, id) => {
    if (token !== undefined) modelIds.set(tokenKey(token, modelScript), id)
  })
  return { rows: donor.tokens.length, model, donor, donorScript, modelScript, modelIds, junk }
}

export interface AssignOptions {
  /** Rows that the model's and the donor's tensor have: tokens beyond them have none. */
  modelRows: number
  donorRows: number
  byPrefix: boolean
  byByte: boolean
}

export function assign(
  vocabularies: Vocabularies,
  { modelRows, donorRows, byPrefix, byByte }: AssignOptions,
): Assignment {
  const { rows, donor, donorScript, modelScript, modelIds, junk } = vocabularies
  const idOf = (key: string | undefined): number | undefined => {
    const id = key === undefined ? undefined : modelIds.get(key)
    return id !== undefined && id < modelRows ? id : undefined
  }
  const find = (token: string): readonly [Kind, number] => {
    const key = tokenKey(token, donorScript)
    const own = idOf(key)
    if (own !== undefined) return ['shared', own]
    const byte = byByte && key.startsWith('t') ? idOf(byteKey(token, donorScript, modelScript)) : undefined
    if (byte !== undefined) return ['byte', byte]
    const prefix = byPrefix
      ? prefixKeys(key)
          .map(idOf)
          .find((id) => id !== undefined)
      : undefined
    return prefix === undefined ? ['made', makeUp] : ['prefix', prefix]
  }
  const from = new Int32Array(rows).fill(nothing)
  const counts: Record<Kind, number> = { shared: 0, byte: 0, prefix: 0, made: 0, zero: 0 }
  const [shared, made]: [number[], number[]] = [[], []]
  for (let id = 0; id < rows; id++) {
    const token = donor.tokens[id]
    const [kind, row] =
      token === undefined || id >= donorRows || junk.has(id) ? (['zero', nothing] as const) : find(token)
    from[id] = row
    counts[kind]++
    if (kind === 'shared') shared.push(id)
    if (kind === 'made') made.push(id)
  }
  return { from, shared: Int32Array.from(shared), made: Int32Array.from(made), counts }
}
