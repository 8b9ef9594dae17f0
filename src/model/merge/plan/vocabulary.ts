/**
 * Embedding rows by token instead of by number: for every model, which row – its own, another model's, a mean – stands
 * for each token of the output.
 */
import { fault } from '#core'
import type { TokenizerRecipe, TokenSource } from '../recipe/recipe.ts'

/** Stand-ins for an output row that no model's row fills. */
export const meanOfOwners = -1
export const zeroRow = -2
/** Rows beyond the vocabulary: the mean of all real rows. */
export const paddingRow = -3

const absent = -1

/** For each output row: an input and a row of it, or one of the words above. */
interface RowPicks {
  readonly input: Int32Array
  readonly row: Int32Array
}

/** Where the recipe takes a token's row from; `input` may be `zeroRow`. */
interface NamedRow {
  readonly input: number
  readonly row: number
  /** For every model, not only for those that lack the token. */
  readonly force: boolean
}

export interface VocabularyPlan {
  /** Rows of the output, padding included. */
  readonly rows: number
  /** Tokens, that is rows without padding. */
  readonly tokens: number
  /** By input: for each token its row, or −1. */
  readonly own: readonly Int32Array[]
  /** Input whose row stands for a token that several have. */
  readonly base: number | undefined
  readonly named: ReadonlyMap<number, NamedRow>
}

export interface VocabularyInputs {
  /** Output id → token. */
  readonly tokens: readonly (string | undefined)[]
  /** By input: token → row. */
  readonly own: readonly ReadonlyMap<string, number>[]
  /** By input: rows of its embedding. */
  readonly rows: readonly number[]
  /** Inputs' references, to find those that a recipe names. */
  readonly models: readonly string[]
  readonly base: number | undefined
}

/**
 * Throws `usage.value` for a token of the recipe that no model has and of which nothing is said, and for a source that
 * is not there.
 */
export function planVocabulary(
  { tokens, own, rows: sizes, models, base }: VocabularyInputs,
  recipe: TokenizerRecipe,
): VocabularyPlan {
  const multiple = recipe.padToMultipleOf ?? 1
  const named = new Map<number, NamedRow>()
  tokens.forEach((token, id) => {
    const settings = token === undefined || !Object.hasOwn(recipe.tokens, token) ? undefined : recipe.tokens[token]
    if (token === undefined || settings === undefined) return
    if (settings.source !== undefined)
      named.set(id, { ...namedRow(settings.source, token, { own, rows: sizes, models }), force: settings.force })
    else if (own.every((table) => !table.has(token))) {
      throw fault('usage.value', {
        place: `tokenizer › ${token}`,
        what: 'no model has this token',
        hint: 'say where its row comes from: tokens: {"…": {source: {kind: zero}}}',
      })
    }
  })
  return {
    rows: Math.ceil(tokens.length / multiple) * multiple,
    tokens: tokens.length,
    own: own.map((table) =>
      Int32Array.from(tokens, (token) => (token === undefined ? absent : (table.get(token) ?? absent))),
    ),
    base,
    named,
  }
}

function namedRow(
  source: TokenSource,
  token: string,
  { own, rows, models }: Pick<VocabularyInputs, 'own' | 'rows' | 'models'>,
): Omit<NamedRow, 'force'> {
  if (source.kind === 'zero') return { input: zeroRow, row: 0 }
  const input = models.indexOf(source.model)
  const table = own[input]
  const place = `tokenizer › ${token}`
  if (table === undefined)
    throw fault('usage.value', {
      place,
      what: 'the source is none of the models',
      seen: source.model,
      wanted: models.join(', '),
    })
  const row = source.tokenId ?? table.get(source.token ?? token)
  if (row === undefined)
    throw fault('usage.value', { place, what: 'the source has no such token', seen: source.token ?? token })
  if (row >= (rows[input] ?? Infinity))
    throw fault('usage.value', { place, what: 'the source has no such row', seen: row, wanted: `below ${rows[input]}` })
  return { input, row }
}

/** What each model of one tensor has for each token. */
interface TensorRows {
  readonly picks: ReadonlyMap<number, RowPicks>
  /** Output row → every [input, row] that has its token, for rows that are their mean. */
  readonly owners: ReadonlyMap<number, readonly (readonly [input: number, row: number])[]>
  /** Tokens that none of the models has and the recipe says nothing about: rows of zeros. */
  readonly unknown: number
}

/**
 * mergekit's order, among the models that a tensor is made of: a forced source; the model's own row; a source the
 * recipe names; the only model that has the token; the base; and failing all these, the mean of all that have it.
 * Throws `usage.value` for a source that is none of these models.
 */
export function tensorRows(
  { rows, tokens, own, base, named }: VocabularyPlan,
  inputs: readonly number[],
  name: string,
): TensorRows {
  const parts = [...new Set(inputs)]
  const picks = new Map(
    parts.map((input) => [input, { input: new Int32Array(rows).fill(paddingRow), row: new Int32Array(rows) }] as const),
  )
  const owners = new Map<number, readonly (readonly [number, number])[]>()
  let unknown = 0
  for (let id = 0; id < tokens; id++) {
    const having = parts.flatMap((input) => (own[input]![id]! >= 0 ? [[input, own[input]![id]!] as const] : []))
    const wish = named.get(id)
    const needed = wish !== undefined && (wish.force || having.length < parts.length)
    if (needed && wish.input !== zeroRow && !parts.includes(wish.input)) {
      throw fault('usage.value', {
        place: `tokenizer › row ${id}`,
        what: `the token's source is none of the models that ${name} is made of`,
        seen: `input ${wish.input + 1}`,
      })
    }
    const other = otherRow(having, wish, base)
    if (other[0] === meanOfOwners) owners.set(id, having)
    if (other[0] === zeroRow && wish === undefined) unknown++
    for (const [model, pick] of picks) {
      const ownRow = own[model]![id]!
      const [input, row] = ownRow >= 0 && wish?.force !== true ? [model, ownRow] : other
      pick.input[id] = input
      pick.row[id] = row
    }
  }
  return { picks, owners, unknown }
}

/** For models that lack the token. */
function otherRow(
  having: readonly (readonly [number, number])[],
  wish: NamedRow | undefined,
  base: number | undefined,
): readonly [number, number] {
  if (wish !== undefined) return [wish.input, wish.row]
  const [only, ...more] = having
  if (only === undefined) return [zeroRow, 0]
  if (more.length === 0) return only
  return having.find(([input]) => input === base) ?? [meanOfOwners, 0]
}
