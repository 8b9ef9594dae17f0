/** An ensemble: classifiers that answer together. A file like a recipe names them; no weights are merged. */
import { readFile } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { fault, fingerprint, type Matrix, type SequenceClassifier } from '#core'
import { isObject, parseWith, parseYaml, zod } from '#files/formats'
import type { Model } from '#model/checkpoint'
import { combineLogits, ensembleMethods } from './combine-logits.ts'

function schema() {
  const z = zod()
  return z.strictObject({
    ensemble_method: z.enum(ensembleMethods),
    models: z.array(z.strictObject({ model: z.string().min(1), weight: z.number().nonnegative().optional() })).min(1),
  })
}

export interface EnsembleFile {
  readonly path: string
  readonly text: string
}

/** The file at `path` if it is an ensemble's: it has `ensemble_method`. Throws `format.yaml`. */
export async function readEnsemble(path: string): Promise<EnsembleFile | undefined> {
  const text = await readFile(path, 'utf8').catch(() => '')
  // most recipes are spared a second parse
  if (!/\bensemble_method\b/.test(text)) return undefined
  const value = parseYaml(text, path)
  return isObject(value) && 'ensemble_method' in value ? { path, text } : undefined
}

/**
 * Opens every classifier of an ensemble by `open`; they run one after the other on each text, and each reads it in its
 * own way. Labels are matched by name. Throws `usage.value` for a key that no ensemble has and for weights that are not
 * given for all or do not sum to 1, `usage.conflict` for a model that is no classifier or has other labels, and what
 * `open` throws.
 */
export async function openEnsemble(
  { path, text }: EnsembleFile,
  open: (reference: string) => Promise<Model>,
): Promise<Model> {
  const { ensemble_method: method, models: listed } = parseWith(schema(), text, 'yaml', path)
  const weights = weightsOf(
    listed.map(({ weight }) => weight),
    path,
  )
  const models: Model[] = []
  const close = async (): Promise<void> => {
    await Promise.all(models.map((model) => model.close()))
  }
  try {
    for (const { model } of listed) models.push(await open(model))
    const [first] = models
    if (first === undefined) throw fault('internal', { place: path, what: 'no model' })
    const none = models.find(({ classifier }) => classifier === undefined)
    if (none !== undefined)
      throw fault('usage.conflict', {
        place: path,
        what: `${none.name} has no head for sequence classification`,
        hint: 'an ensemble is of …ForSequenceClassification checkpoints',
      })
    const each = <Value>(ask: (model: Model) => Promise<Value>): Promise<Value[]> => Promise.all(models.map(ask))
    const stem = basename(path, extname(path))
    const vectorless = (): Promise<never> =>
      Promise.reject(
        fault('config.unsupported', { place: `ensemble__${stem}`, what: 'an ensemble has no vectors, only answers' }),
      )
    return {
      ...first,
      name: `ensemble__${stem}`,
      revision: async () => fingerprint({ method, weights, of: await each((one) => one.revision()) }).slice(0, 12),
      notices: models.flatMap(({ name, notices }) => notices.map((notice) => `${name}: ${notice}`)),
      async identity() {
        const all = await each((one) => one.identity())
        const joined = (part: keyof (typeof all)[number]): string => fingerprint(all.map((one) => one[part]))
        return {
          tensors: fingerprint({ method, weights, of: joined('tensors') }),
          spec: joined('spec'),
          tokenizer: joined('tokenizer'),
          modules: joined('modules'),
        }
      },
      memoryBytes: async () => (await each((one) => one.memoryBytes())).reduce((sum, bytes) => sum + bytes, 0),
      defaultLacks: 'an ensemble has no vectors, only answers',
      embedder: vectorless,
      encoder: vectorless,
      states: undefined,
      tokens: undefined,
      languageModel: undefined,
      async classifier() {
        const heads = await each(classifierOf)
        const labels = heads[0]?.labels ?? []
        const orders = heads.map((head, k) => columnsFor(labels, head, `${path} › ${models[k]?.name ?? ''}`))
        return {
          labels,
          async logits(texts, options) {
            const parts: Matrix[] = []
            for (const [k, head] of heads.entries())
              parts.push(inOrder(await head.logits(texts, options), orders[k] ?? []))
            return combineLogits(parts, weights, method)
          },
        }
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

function classifierOf({ classifier, name }: Model): Promise<SequenceClassifier> {
  if (classifier === undefined) throw fault('internal', { place: name, what: 'no classifier' })
  return classifier()
}

/** Equal ones where none is given. */
function weightsOf(given: readonly (number | undefined)[], path: string): readonly number[] {
  const weights = given.flatMap((weight) => weight ?? [])
  if (weights.length === 0) return given.map(() => 1 / given.length)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  // weights are written with their decimals cut
  if (weights.length < given.length || Math.abs(total - 1) > 1e-6)
    throw fault('usage.value', {
      place: path,
      what: 'weights must be given for all models and sum to 1',
      seen: weights.length < given.length ? `${weights.length} of ${given.length}` : total,
    })
  return weights
}

/** For every label its column among the head's. */
function columnsFor(labels: readonly string[], head: SequenceClassifier, place: string): readonly number[] {
  const columns = labels.map((label) => head.labels.indexOf(label))
  if (columns.includes(-1) || head.labels.length !== labels.length || new Set(columns).size < columns.length)
    throw fault('usage.conflict', {
      place,
      what: 'the labels are not those of the first model',
      seen: head.labels.slice(0, 8).join(', '),
      wanted: labels.slice(0, 8).join(', '),
    })
  return columns
}

function inOrder(logits: Matrix, columns: readonly number[]): Matrix {
  if (columns.every((column, label) => column === label)) return logits
  const { rows, width, data } = logits
  return {
    rows,
    width,
    data: Float32Array.from(data, (_, i) => data[i - (i % width) + (columns[i % width] ?? 0)] ?? NaN),
  }
}
