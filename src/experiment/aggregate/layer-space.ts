/**
 * Statistics of a model's layers on a corpus: their similarities, and the principal axes of any concatenation of them.
 */
import { type CallOptions, fault, fingerprint, type Matrix, matrix, type Matrix64 } from '#core'
import { type Corpus, layerRows } from '#experiment/encode'
import { measureSimilarity } from '#experiment/similarity'
import { type Basis, type LayerNorm, type MixedBlock, normed } from '#representation/layers'
import { type Model, statesOf } from '#model/checkpoint'
import { covarianceOf, principalAxesApart, widestApart } from '#platform/linalg'
import type { Similarity, Transform, Trials } from '#representation/similarity'

export interface LayerSpace {
  /** Layer × layer by name, [n × n], means over the same trials, whose texts are read once for all. */
  similarities(metrics: readonly Similarity[]): Promise<Map<string, Float64Array>>
  /**
   * Width after projection of the concatenated blocks: at most `components` axes, as many as rows and columns allow.
   */
  width(blocks: readonly MixedBlock[], components: number): Promise<number>
  basis(blocks: readonly MixedBlock[], width: number): Promise<Basis>
  /** Bases that will be requested, in order: while one is used the next one is computed. */
  expect(bases: readonly ExpectedBasis[]): void
  /**
   * Hash of the corpus, and of how its vectors are read where that is not the model's own way: other vectors have other
   * axes.
   */
  readonly source: string
}

export interface ExpectedBasis {
  readonly blocks: readonly MixedBlock[]
  readonly width: number
}

export interface LayerSpaceOptions extends CallOptions, Trials {
  readonly layerNorm: LayerNorm
  readonly transform?: Transform | undefined
}

/** Texts whose vectors of all layers are in memory at once. */
const blockTexts = 2048

/**
 * Nothing is computed before it is requested, and no basis twice. Throws `usage.conflict` for a model without layers.
 */
export function openLayerSpace(
  model: Model,
  corpus: Corpus,
  { layerNorm, transform, ...options }: LayerSpaceOptions,
): LayerSpace {
  const { texts } = corpus
  const layers = Array.from({ length: statesOf(model).count }, (_, h) => h)
  const bases = new Map<string, Promise<Basis>>()
  let moments: Promise<Moments> | undefined
  let expected: readonly ExpectedBasis[] = []
  const made = (blocks: readonly MixedBlock[], width: number): Promise<Basis> => {
    const key = JSON.stringify([blocks, width])
    const known =
      bases.get(key) ??
      (async () => {
        moments ??= momentsOf(model, texts, layers, { layerNorm, ...options })
        return basisOf(await moments, blocks, width)
      })()
    bases.set(key, known)
    return known
  }
  /** A failure is reported to the caller that requests the basis. */
  const makeNext = async (blocks: readonly MixedBlock[], width: number): Promise<void> => {
    const at = expected.findIndex((one) => one.blocks === blocks && one.width === width)
    const next = at < 0 ? undefined : expected[at + 1]
    if (next === undefined || moments === undefined) return
    if (totalWidth(next.blocks, (await moments).widths) <= widestApart) await made(next.blocks, next.width)
  }
  return {
    source: fingerprint({ texts, layerNorm, ...(model.overrides.length === 0 ? {} : { reading: model.overrides }) }),
    async similarities(metrics) {
      const found = await measureSimilarity([model], corpus, { metrics, transform, ...options })
      return new Map(
        metrics.map(({ name, title }) => [name, Float64Array.from(found.metrics[title]?.mean.flat() ?? [])]),
      )
    },
    async width(blocks, components) {
      const rows = await layerRows(model, texts, options)
      const widths = (await rows([0])).map(({ width }) => width)
      return Math.min(components, texts.length, totalWidth(blocks, widths))
    },
    basis(blocks, width) {
      const asked = made(blocks, width)
      void makeNext(blocks, width).catch(() => undefined)
      return asked
    },
    expect(wanted) {
      expected = wanted
    },
  }
}

/** Mean and covariance of all states, concatenated. */
interface Moments {
  readonly widths: readonly number[]
  readonly mean: Float64Array
  /** [Σ width × Σ width] */
  readonly covariance: Matrix64
}

/** One pass over the corpus' vectors, which come from the cache: the source of every basis. */
async function momentsOf(
  model: Model,
  texts: readonly string[],
  layers: readonly number[],
  { layerNorm, signal, onProgress }: CallOptions & { readonly layerNorm: LayerNorm },
): Promise<Moments> {
  const rowsOf = await layerRows(model, texts, { signal, onProgress })
  const widths = (await rowsOf([0])).map(({ width }) => width)
  const whole = covarianceOf(widths.reduce((sum, width) => sum + width, 0))
  for (let from = 0; from < texts.length; from += blockTexts) {
    signal?.throwIfAborted()
    const rows = Array.from({ length: Math.min(blockTexts, texts.length - from) }, (_, i) => from + i)
    const states = await rowsOf(rows)
    await whole.add(
      besides(
        layers.map((h) => normed(states[h] ?? matrix(0, 0), layerNorm)),
        rows.length,
      ),
    )
    onProgress?.({ stage: 'covariance', done: from + rows.length, total: texts.length, unit: 'texts' })
  }
  const { mean, covariance } = whole.finish()
  return { widths, mean, covariance }
}

function besides(states: readonly Matrix[], rows: number): Matrix {
  const width = states.reduce((sum, state) => sum + state.width, 0)
  const out = matrix(rows, width)
  let at = 0
  for (const state of states) {
    for (let row = 0; row < rows; row++)
      out.data.set(state.data.subarray(row * state.width, (row + 1) * state.width), row * width + at)
    at += state.width
  }
  return out
}

/**
 * Blocks are linear in the states: their mean and covariance follow from those of the states, without reading the texts
 * again.
 */
async function basisOf(moments: Moments, blocks: readonly MixedBlock[], width: number): Promise<Basis> {
  const { mean, covariance } = isWhole(moments, blocks) ? moments : combined(moments, blocks)
  const { vectors } = await principalAxesApart(covariance, width)
  return { mean: Float32Array.from(mean), components: matrix(width, covariance.width, Float32Array.from(vectors.data)) }
}

/** Every state by itself, in order and unchanged: a copy would double the memory. */
function isWhole({ widths }: Moments, blocks: readonly MixedBlock[]): boolean {
  return (
    blocks.length === widths.length &&
    blocks.every(({ layers, factor }, h) => layers.length === 1 && layers[0] === h && factor === 1)
  )
}

function combined(
  { widths, mean, covariance }: Moments,
  blocks: readonly MixedBlock[],
): Pick<Moments, 'mean' | 'covariance'> {
  const starts = widths.map((_, h) => widths.slice(0, h).reduce((sum, own) => sum + own, 0))
  const columns = blocks.map(({ layers }) => widths[layers[0] ?? 0] ?? 0)
  const total = totalWidth(blocks, widths)
  const own = new Float64Array(total)
  const shared = new Float64Array(total * total)
  let top = 0
  for (const [b, { layers, factor }] of blocks.entries()) {
    const size = columns[b] ?? 0
    for (const h of layers)
      for (let i = 0; i < size; i++)
        own[top + i] = (own[top + i] ?? 0) + (factor / layers.length) * (mean[(starts[h] ?? 0) + i] ?? 0)
    let left = 0
    for (const [c, other] of blocks.entries()) {
      const across = columns[c] ?? 0
      const scale = (factor * other.factor) / (layers.length * other.layers.length)
      for (const h of layers)
        for (const g of other.layers)
          for (let i = 0; i < size; i++) {
            const from = ((starts[h] ?? 0) + i) * covariance.width + (starts[g] ?? 0)
            const to = (top + i) * total + left
            for (let j = 0; j < across; j++)
              shared[to + j] = (shared[to + j] ?? 0) + scale * (covariance.data[from + j] ?? 0)
          }
      left += across
    }
    top += size
  }
  return { mean: own, covariance: { rows: total, width: total, data: shared } }
}

/** Throws `representation.width` where a block adds states of different widths. */
function totalWidth(blocks: readonly MixedBlock[], widths: readonly number[]): number {
  return blocks.reduce((sum, { layers }) => {
    const own = new Set(layers.map((h) => widths[h] ?? 0))
    if (own.size > 1)
      throw fault('representation.width', {
        place: 'principal components',
        what: 'states of unequal width cannot be added',
        seen: [...own],
      })
    return sum + ([...own][0] ?? 0)
  }, 0)
}
