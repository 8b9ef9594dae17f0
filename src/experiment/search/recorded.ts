/**
 * Recorded scores and metrics: rows as "Layer by Layer" publishes them, folders of results, documents of `strata
 * metrics`.
 */
import { stat } from 'node:fs/promises'
import { fault, mean, suggestion } from '#core'
import { isObject } from '#files/formats'
import { readColumns } from '#files/tables'
import { listResults, scoreMeans } from '#result/ledger'
import { collectedScores } from './collected.ts'
import type { ScoreRow } from './grid.ts'
import { contextFeatures, type Feature, metricDocuments } from './metric-features.ts'
import { metricNumber } from './metric-number.ts'

export interface RecordedOptions {
  /** The model to read when the file holds several. */
  readonly model?: string | undefined
  /** Take the mean of several subsets where no name selects one. */
  readonly averageSubsets?: boolean | undefined
}

/**
 * Recorded scores of one model, in 0 … 1: from a folder of results, a table of mteb-layersweep, or rows as "Layer by
 * Layer" publishes them. The split `test` counts, otherwise `validation`; among several subsets the one named `en`,
 * `en-en` or `default`. Throws `file.missing`, and `usage.value` for several models or subsets without a way to choose.
 *
 * @example
 * ```ts
 * import { recordedScores } from 'strata-lm/search'
 *
 * const { model, rows } = await recordedScores('results')
 * console.log(model) // → sentence-transformers/all-MiniLM-L6-v2
 * for (const { layer, task, score } of rows) console.log(layer, task, score)
 * // → default STS17 0.875912
 * // → h3 STS17 0.70692
 * ```
 */
export async function recordedScores(
  path: string,
  options: RecordedOptions = {},
): Promise<{ model: string; rows: readonly ScoreRow[] }> {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined) throw fault('file.missing', { place: path, what: 'no such file or folder' })
  if (found.isDirectory()) return ofFolder(path, options)
  const collected = await collectedScores(path)
  if (collected === undefined) return ofRows(path, options)
  const model = theModel(path, options.model, [...new Set(collected.map((row) => row.model))])
  return { model, rows: collected.filter((row) => row.model === model) }
}

async function ofFolder(
  path: string,
  { model }: RecordedOptions,
): Promise<{ model: string; rows: readonly ScoreRow[] }> {
  const listed = (await listResults(path, { status: 'ok' })).flatMap((one) => {
    if (one.result === undefined) return []
    const score = scoreMeans(one.result.scores ?? {}).all
    return score === null
      ? []
      : [{ model: one.model, revision: one.revision, layer: one.representation, task: one.task, score }]
  })
  const models = [...new Set(listed.map((one) => one.model))]
  // models in separate folders, as checkpoints that never shared a repository: then the models are the checkpoints
  const chosen = model === undefined ? listed : listed.filter((one) => one.model === model)
  if (chosen.length === 0) throw unknownModel(path, model, models)
  const several = new Set(chosen.map((one) => one.model)).size > 1
  // settings that all of them share do not distinguish them
  const suffixes = new Set(chosen.map(({ layer }) => suffixOf(layer)))
  const bare = (layer: string): string =>
    suffixes.size === 1 ? layer.slice(0, layer.length - suffixOf(layer).length) : layer
  return {
    model: several ? path : (chosen[0]?.model ?? path),
    rows: chosen.map(({ model: own, revision, layer, task, score }) => ({
      checkpoint: several ? own.replace(/-[0-9a-f]{8}$/, '') : revision,
      layer: bare(layer),
      task,
      score,
    })),
  }
}

/** `+native` for `h3+native`; empty for `h3`. */
function suffixOf(layer: string): string {
  return /\+.*$/.exec(layer)?.[0] ?? ''
}

const columns = ['family', 'size', 'revision', 'layer', 'task', 'split', 'main_score']

async function ofRows(
  path: string,
  { model, averageSubsets = false }: RecordedOptions,
): Promise<{ model: string; rows: readonly ScoreRow[] }> {
  const { rows: count, columns: read } = await readColumns([path], { columns })
  const text = (name: string, i: number): string => textOf(read[name]?.[i])
  const modelOf = (i: number): string => `${text('family', i)}-${text('size', i)}`
  const name = theModel(path, model, [...new Set(Array.from({ length: count }, (_, i) => modelOf(i)))])
  const rows = new Map<string, ScoreRow & { split: string }>()
  for (let i = 0; i < count; i++) {
    if (modelOf(i) !== name) continue
    const [checkpoint, layer, task, split] = [
      text('revision', i),
      `h${text('layer', i)}`,
      text('task', i),
      text('split', i),
    ]
    if (split !== 'test' && split !== 'validation') continue
    const key = JSON.stringify([checkpoint, layer, task])
    if (rows.get(key)?.split === 'test') continue
    const place = `${path}: ${name} ${checkpoint} ${layer} ${task}`
    rows.set(key, {
      checkpoint,
      layer,
      task,
      split,
      score: subsetScore(read['main_score']?.[i], place, averageSubsets),
    })
  }
  return { model: name, rows: [...rows.values()] }
}

/** Selected by name: the first one in a file may be any of them. */
const meant = ['en', 'en-en', 'default']

function subsetScore(value: unknown, place: string, averageSubsets: boolean): number {
  const bySubset = typeof value === 'number' ? { default: value } : value
  const entries = isObject(bySubset) ? Object.entries(bySubset) : []
  const scores = entries.filter(
    (entry): entry is [string, number] => typeof entry[1] === 'number' && Number.isFinite(entry[1]),
  )
  const own = meant.flatMap((name) => scores.filter(([subset]) => subset === name)).at(0)
  if (own !== undefined) return own[1]
  if (scores.length === 1 || (averageSubsets && scores.length > 0)) return mean(scores.map(([, score]) => score))
  throw fault('usage.value', {
    place,
    what: scores.length === 0 ? 'no score' : 'there are several subsets, and none is the English one',
    seen: scores.length === 0 ? value : scores.map(([subset]) => subset),
    hint: scores.length === 0 ? undefined : '--average-subsets takes their mean',
  })
}

/** Names and numbers as text; any other value is not a name. */
function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

function theModel(path: string, model: string | undefined, models: readonly string[]): string {
  if (model === undefined && models.length === 1 && models[0] !== undefined) return models[0]
  const found = models.find((one) => one.toLowerCase() === model?.toLowerCase())
  if (found === undefined) throw unknownModel(path, model, models)
  return found
}

function unknownModel(path: string, model: string | undefined, models: readonly string[]): Error {
  return fault('usage.value', {
    place: path,
    what: model === undefined ? 'scores of several models; name one' : 'no scores of this model',
    ...(model === undefined ? {} : { seen: model }),
    wanted: models.join(', '),
    hint: model === undefined ? undefined : suggestion(model, models),
  })
}

/** Features of an arm in order, or undefined where one is unknown. */
export type FeaturesOf = (checkpoint: string, layer: string) => readonly number[] | undefined

/**
 * Metrics of layers as features of arms, from the documents of `strata metrics` or rows as "Layer by Layer" publishes
 * them: a function of checkpoint and layer, undefined where a feature is unknown. Default features: `sentence_entropy`,
 * `dataset_entropy`, `lidar`, `dime`, and every metric of a file that lacks one of these. Throws `usage.value` for several corpora without a way to choose, and for a file
 * that has none of the features.
 *
 * @example
 * ```ts
 * import { writeFile } from 'node:fs/promises'
 * import { recordedMetrics } from 'strata-lm/search'
 *
 * const layers = { 3: { sentence_entropy: 0.4, dataset_entropy: 0.5, lidar: 0.9, dime: 0.7 } }
 * await writeFile('metrics.jsonl', JSON.stringify({ model: 'org/name', revision: 'main', layers }))
 * const featuresOf = await recordedMetrics('metrics.jsonl', {})
 * console.log(featuresOf('main', 'h3')) // → [ 0.4, 0.5, 0.9, 0.7 ]
 * ```
 */
export async function recordedMetrics(
  path: string,
  {
    model,
    corpus,
    features: chosen,
  }: { model?: string | undefined; corpus?: string | undefined; features?: readonly Feature[] | undefined },
): Promise<FeaturesOf> {
  const values = new Map<string, number>()
  const documents = await metricDocuments(path)
  const features = chosen ?? contextFeatures(documents)
  if (documents.some((one) => isObject(one['layers']))) fromDocuments(documents, features, values)
  else fromRows(documents, { path, model, corpus, features }, values)
  if (values.size === 0)
    throw fault('usage.value', {
      place: path,
      what: 'none of the features is in it',
      wanted: features.map(({ name }) => name).join(', '),
    })
  return (checkpoint, layer) => {
    const own = features.map(({ name }) => values.get(JSON.stringify([checkpoint, layer, name])))
    return own.every((value) => value !== undefined) ? own : undefined
  }
}

function fromRows(
  documents: readonly Record<string, unknown>[],
  {
    path,
    model,
    corpus,
    features,
  }: { path: string; model: string | undefined; corpus: string | undefined; features: readonly Feature[] },
  values: Map<string, number>,
): void {
  const modelOf = (row: Record<string, unknown>): string => `${String(row['family'])}-${String(row['size'])}`
  const name = theModel(path, model, [...new Set(documents.map(modelOf))])
  const own = documents.filter(
    (row) => modelOf(row) === name && features.some(({ recorded }) => recorded === row['metric']),
  )
  const corpora = [...new Set(own.map((row) => String(row['corpus'])))]
  // most checkpoints were read with one corpus, and some with others as well
  const only = corpora.length === 1 ? corpora[0] : undefined
  const chosen = corpus ?? (corpora.includes('wikitext') || corpora.length === 0 ? 'wikitext' : only)
  if (chosen === undefined || (corpora.length > 0 && !corpora.includes(chosen)))
    throw fault('usage.value', {
      place: path,
      what: 'metrics of several corpora; name one',
      seen: corpus,
      wanted: corpora.join(', '),
      hint: '--context-corpus',
    })
  for (const row of own) {
    if (row['corpus'] !== chosen) continue
    for (const { name: feature, recorded, scaling } of features) {
      if (recorded !== row['metric']) continue
      const list = isObject(row['values']) ? row['values'][scaling] : undefined
      if (Array.isArray(list))
        list.forEach((value, h) => keep(values, [String(row['revision']), `h${h}`, feature], value))
    }
  }
}

function fromDocuments(
  documents: readonly Record<string, unknown>[],
  features: readonly Feature[],
  values: Map<string, number>,
): void {
  for (const { model, revision, layers } of documents) {
    if (!isObject(layers)) continue
    for (const [layer, metrics] of Object.entries(layers)) {
      if (!isObject(metrics)) continue
      for (const { name } of features) {
        const value = metrics[name]
        // for models in separate folders the checkpoint is the model
        for (const checkpoint of [revision, model])
          keep(values, [String(checkpoint), /^\d+$/.test(layer) ? `h${layer}` : layer, name], metricNumber(value))
      }
    }
  }
}

function keep(values: Map<string, number>, key: readonly string[], value: unknown): void {
  if (typeof value === 'number' && Number.isFinite(value)) values.set(JSON.stringify(key), value)
}
