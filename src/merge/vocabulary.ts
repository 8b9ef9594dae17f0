/** Embedding rows by token instead of by number: for every model, which row – its own, another model's, a mean – stands for each token of the output. */
import { fault } from '../core/index.ts'
import type { TokenizerRecipe, TokenSource } from './recipe.ts'

/** What stands for one output row where no model's row does. */
export const meanOfOwners = -1
export const zeroRow = -2
/** Rows beyond the vocabulary: the mean of all real rows. */
export const paddingRow = -3

/** For each output row: an input and a row of it, or one of the words above. */
export interface RowPicks {
  readonly input: Int32Array
  readonly row: Int32Array
}

export interface VocabularyPlan {
  /** Rows of the output, padding included. */
  readonly rows: number
  /** Tokens, that is rows without padding. */
  readonly tokens: number
  /** By input. */
  readonly picks: readonly RowPicks[]
  /** Output row → every [input, row] that has its token, for rows that are their mean. */
  readonly owners: ReadonlyMap<number, readonly (readonly [input: number, row: number])[]>
}

export interface VocabularyInputs {
  /** Output id → token. */
  readonly tokens: readonly (string | undefined)[]
  /** By input: token → row. */
  readonly own: readonly ReadonlyMap<string, number>[]
  /** Inputs' references, to find those that a recipe names. */
  readonly models: readonly string[]
  readonly base: number | undefined
}

/**
 * mergekit's order: a forced source; the model's own row; a source the recipe names; the only model that has the token; the base; else the mean of all that have it.
 * Throws `usage.value` for a token that no model has and the recipe says nothing about, or a source that is not there.
 */
export function planVocabulary({ tokens, own, models, base }: VocabularyInputs, recipe: TokenizerRecipe): VocabularyPlan {
  const multiple = recipe.padToMultipleOf ?? 1
  const rows = Math.ceil(tokens.length / multiple) * multiple
  const picks = own.map((): RowPicks => ({ input: new Int32Array(rows).fill(paddingRow), row: new Int32Array(rows) }))
  const owners = new Map<number, readonly (readonly [number, number])[]>()
  tokens.forEach((token, id) => {
    const settings = token === undefined ? undefined : recipe.tokens[token]
    const named = settings?.source === undefined ? undefined : namedRow(settings.source, token ?? '', { own, models })
    const having = token === undefined ? [] : own.flatMap((table, input) => (table.has(token) ? [[input, table.get(token) ?? 0] as const] : []))
    picks.forEach((pick, model) => {
      const [input, row] = pickFor(model, { named, force: settings?.force ?? false, having, base, token })
      pick.input[id] = input
      pick.row[id] = row
      if (input === meanOfOwners) owners.set(id, having)
    })
  })
  return { rows, tokens: tokens.length, picks, owners }
}

interface Having {
  readonly named: readonly [number, number] | undefined
  readonly force: boolean
  readonly having: readonly (readonly [number, number])[]
  readonly base: number | undefined
  readonly token: string | undefined
}

function pickFor(model: number, { named, force, having, base, token }: Having): readonly [number, number] {
  // An id without a token, in the middle of a vocabulary.
  if (token === undefined) return [zeroRow, 0]
  if (named !== undefined && force) return named
  const ownRow = having.find(([input]) => input === model)
  if (ownRow !== undefined) return ownRow
  if (named !== undefined) return named
  const [only, ...more] = having
  if (only === undefined) {
    throw fault('usage.value', {
      place: `tokenizer › ${token}`,
      what: 'no model has this token',
      hint: 'say where its row comes from: tokens: {"…": {source: {kind: zero}}}',
    })
  }
  if (more.length === 0) return only
  return having.find(([input]) => input === base) ?? [meanOfOwners, 0]
}

function namedRow(source: TokenSource, token: string, { own, models }: Pick<VocabularyInputs, 'own' | 'models'>): readonly [number, number] {
  if (source.kind === 'zero') return [zeroRow, 0]
  const input = models.indexOf(source.model)
  const table = own[input]
  if (table === undefined)
    throw fault('usage.value', { place: `tokenizer › ${token}`, what: 'the source is none of the models', seen: source.model, wanted: models.join(', ') })
  const row = source.tokenId ?? table.get(source.token ?? token)
  if (row === undefined) throw fault('usage.value', { place: `tokenizer › ${token}`, what: 'the source has no such token', seen: source.token ?? token })
  return [input, row]
}
