/** Similarity of models by what they make of the same texts: linear CKA of their last hidden states. */
import { fault, fingerprint, type Matrix } from '#core'
import { checkFinite } from '#experiment/encode'
import { openModel, type OpenModelOptions } from '#experiment/open'
import { choosePrompt, type Model, statesOf } from '#model/checkpoint'
import { openRepresentation } from '#representation/layers'
import { similarities } from '#representation/similarity'
import { type PairValues, openPairs } from './pair-values.ts'
import { eachModel, type ModelTable, type ModelTableOptions, chooseRows, toTable } from './model-table.ts'

/** Raised when a change of the arithmetic moves numbers. The state and its pooling are fixed. */
const arithmetic = 'linear CKA, last hidden state, mean pooling, 1'

export interface HiddenStateTableOptions extends ModelTableOptions {
  /** Texts of each row: its models are compared on them. */
  readonly texts: ReadonlyMap<string, readonly string[]>
  /** How the models are read. */
  readonly reading?: Omit<OpenModelOptions, 'pooling' | 'signal' | 'onProgress'> | undefined
}

/**
 * For each target, linear CKA (Kornblith et al. 2019) of its own model with every model, on the target's texts: means
 * over the tokens of the last hidden state. `models`: references by name. The table is not symmetric, as each row has
 * texts of its own. Pairs are kept under everything that moves them, and are not computed again. One model is open at
 * a time; memory: its own, and 4 bytes per target, text and width of a state. Throws `usage.value` for a target without
 * a model or without texts, and what encoding throws.
 */
export async function hiddenStateTable(
  models: ReadonlyMap<string, string>,
  options: HiddenStateTableOptions,
): Promise<ModelTable> {
  const { targets, texts, cache, onMissing, reading, signal, onProgress } = options
  const kept = await openPairs(cache, 'hidden-states')
  const withModel = async <T>(reference: string, work: (model: Model) => Promise<T>): Promise<T> => {
    const model = await openModel(reference, { ...reading, signal, onProgress })
    try {
      return await work(model)
    } finally {
      await model.close()
    }
  }
  const keys = await eachModel(models, { targets, signal, onMissing }, (reference) => withModel(reference, readKey))
  const names = [...keys.keys()]
  const rows = chooseRows(options, names)
  const hashes = new Map(rows.map((target) => [target, fingerprint(findTexts(target, texts))]))
  const pairKey = (target: string, source: string): string =>
    fingerprint([arithmetic, hashes.get(target), keys.get(target), keys.get(source)])
  const isUnknown = (target: string, source: string): boolean =>
    target !== source && kept.of(pairKey(target, source)) === undefined
  const embed = async (name: string, about: readonly string[]): Promise<Matrix[]> =>
    withModel(models.get(name) ?? name, async (model) => {
      const found: Matrix[] = []
      for (const target of about) found.push(await lastStates(model, findTexts(target, texts), { signal, onProgress }))
      return found
    })
  const own = new Map<string, Matrix>()
  for (const target of rows)
    if (names.some((name) => isUnknown(target, name)))
      for (const states of await embed(target, [target])) own.set(target, states)
  for (const name of names) {
    const open = rows.filter((target) => isUnknown(target, name))
    if (open.length === 0) continue
    const states = await embed(name, open)
    for (const [i, target] of open.entries())
      await compare(own.get(target), states[i], { kept, pair: pairKey(target, name) })
  }
  return toTable(rows, names, (target, source) => kept.of(pairKey(target, source)) ?? NaN)
}

async function compare(
  target: Matrix | undefined,
  source: Matrix | undefined,
  { kept, pair }: { readonly kept: PairValues; readonly pair: string },
): Promise<void> {
  if (target === undefined || source === undefined) throw fault('internal', { place: pair, what: 'no states' })
  const [value = NaN] = await similarities.cka.between([target], [source])
  await kept.add(pair, value)
}

function findTexts(target: string, texts: HiddenStateTableOptions['texts']): readonly string[] {
  const own = texts.get(target) ?? []
  if (own.length > 0) return own
  throw fault('usage.value', { place: target, what: 'no texts' })
}

async function readKey(model: Model): Promise<string> {
  const { settings, overrides, prompts } = model
  return fingerprint([await model.identity(), settings, overrides, choosePrompt(prompts), statesOf(model).count])
}

/** [texts × width] */
async function lastStates(
  model: Model,
  texts: readonly string[],
  call: Pick<HiddenStateTableOptions, 'signal' | 'onProgress'>,
): Promise<Matrix> {
  const last = { kind: 'state', h: statesOf(model).count - 1, pooling: 'mean' } as const
  const embedder = await openRepresentation(model, last)
  const states = await embedder.embed(texts, call)
  checkFinite('last hidden state', states.data, texts)
  return states
}
