import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { matrix } from '#core'
import { exportModel, type ExportModelOptions } from '#experiment/write'
import { openModel } from '#experiment/open'
import { frontMatter, openTensors } from '#files/formats'
import { combinationOf, type LayerNorm, type Mix, writeRepresentation } from '#representation/layers'
import { writeResult } from '#result/ledger'
import { carriedModel, useCarriedHub } from '../../carried.ts'
import { scratchFolder } from '../../scratch.ts'
import { difference, onnxVectors, type Vectors, vectorsOf } from './exported.ts'

const { path } = scratchFolder()
beforeAll(useCarriedHub)

const texts = [
  'A man is playing a guitar.',
  'The stock market fell by three percent on Monday, its worst day of the year.',
  'yes',
  '',
]
const maxLength = 256
const width = 384

/** The same operators on the same weights. */
const sameGraph = 1e-6
/** Sums in another order, and the engine's other fusions: float32 through six blocks of 384 columns. */
const otherGraph = 2e-5

async function mixFile(name: string, mix: Mix, layerNorm: LayerNorm = 'none'): Promise<string> {
  const model = await openModel(carriedModel)
  try {
    return await writeRepresentation(path('files'), model, combinationOf(name, { mix, layerNorm, about: {} }))
  } finally {
    await model.close()
  }
}

const weighted: Mix = { kind: 'sum', weights: Float64Array.of(0, 0.1, 0, 0.3, 0, 0.6, 0) }

/** Rows of the components are different cosines, so that no two columns count alike. */
function projection(...blocks: number[][]): Mix {
  const columns = width * blocks.length
  const components = matrix(8, columns)
  for (let k = 0; k < 8; k++)
    for (let i = 0; i < columns; i++)
      components.data[k * columns + i] = Math.cos(((2 * i + 1) * (k + 1) * Math.PI) / (2 * columns))
  const basis = { mean: Float32Array.from({ length: columns }, (_, i) => Math.sin(i) / 10), components }
  return {
    kind: 'projection',
    blocks: blocks.map((layers) => ({ layers, factor: 2 })),
    width: 8,
    source: 'test',
    basis: () => Promise.resolve(basis),
  }
}

let count = 0
async function exported(
  options: Omit<ExportModelOptions, 'out'>,
): Promise<{ out: string; made: Awaited<ReturnType<typeof exportModel>> }> {
  const out = path(`exported-${count++}`)
  return { out, made: await exportModel(carriedModel, { ...options, out }) }
}

/** Of both forms that give vectors; `refused` where one cannot. */
async function differences(
  representation: string,
  ours: Vectors,
  options: Partial<ExportModelOptions> = {},
): Promise<Record<string, boolean | string>> {
  const onnx = await exported({ representation, as: 'onnx', ...options })
  const { alone, padded } = await onnxVectors(onnx.out, texts.slice(0, 3), maxLength)
  const some: Vectors = { width: ours.width, data: ours.data.subarray(0, 3 * ours.width) }
  const library = await exported({ representation, as: 'sentence-transformers', ...options }).then(
    async ({ out }) => difference(ours, await vectorsOf(out, texts)) < sameGraph,
    (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : String(error)),
  )
  const opened = await vectorsOf(onnx.out, texts, { maxLength })
  return {
    library,
    alone: difference(some, alone) < otherGraph,
    padded: difference(some, padded) < otherGraph,
    opened: difference(ours, opened) < otherGraph,
  }
}

/** `opened`: the folder of the graph, by Strata. */
const all = { library: true, alone: true, padded: true, opened: true }

test('the folder of a graph is a model without layers, read as it was written', async () => {
  const { out } = await exported({ representation: 'h2', as: 'onnx' })
  const model = await openModel(out)
  expect([model.states, model.settings.graph, (await model.facts()).width]).toEqual([undefined, true, width])
  await model.close()
  await expect(openModel(out, { pooling: 'cls' })).rejects.toMatchObject({ code: 'usage.conflict' })
  const other = path('other-graph')
  cpSync(out, other, { recursive: true })
  writeFileSync(join(other, 'onnx', 'model.onnx'), readFileSync(join(out, 'onnx', 'model.onnx')).subarray(0, 1000))
  const torn = await openModel(other)
  await expect(torn.embedder()).rejects.toMatchObject({ code: 'engine.load' })
  await torn.close()
})

describe('vectors of the folder are those of the representation', () => {
  test.each(['h4', 'h4-cls', 'h6', 'default', 'default:100', 'h4-cls:7'])('%s', async (representation) => {
    expect(await differences(representation, await vectorsOf(carriedModel, texts, { representation }))).toEqual(all)
  })

  test('leading dimensions with a length of 1, and none of what no folder can say', async () => {
    const ours = await vectorsOf(carriedModel, texts, { representation: 'h4:32', normalize: true })
    expect(await differences('h4:32', ours, { normalize: true })).toEqual(all)
    const refused = (representation: string) => exported({ representation, as: 'sentence-transformers' })
    await expect(refused('h4:32:int8')).rejects.toMatchObject({ code: 'usage.conflict' })
    await expect(refused('h4:385')).rejects.toMatchObject({ code: 'representation.unknown' })
    const { made } = await exported({ representation: 'h4:32', as: 'transformers' })
    expect(made.notes.join()).toContain('pooling `mean`, then the first 32 numbers.')
  })

  test('a weighted sum, and with a length of 1', async () => {
    const representation = await mixFile('weighted', weighted)
    const ours = await vectorsOf(carriedModel, texts, { representation })
    expect(await differences(representation, ours)).toEqual(all)
    const unit = { width, data: Float32Array.from(ours.data) }
    for (let row = 0; row < texts.length; row++) {
      const values = unit.data.subarray(row * width, (row + 1) * width)
      const length = Math.hypot(...values)
      for (let i = 0; i < width; i++) values[i] = (values[i] ?? 0) / length
    }
    expect(await differences(representation, unit, { normalize: true })).toEqual(all)
  })

  test('a projection of one layer, and of a mean', async () => {
    for (const mix of [projection([3]), projection([2, 4])]) {
      const representation = await mixFile('selected_pca', mix)
      expect(await differences(representation, await vectorsOf(carriedModel, texts, { representation }))).toEqual(all)
    }
  })

  test.each<[string, Mix, LayerNorm]>([
    ['layers side by side', projection([1, 2], [5]), 'none'],
    ['a sum of vectors of length 1', weighted, 'l2'],
    ['a sum of z-scores', weighted, 'zscore'],
    ['a projection of z-scores', projection([1], [5]), 'zscore'],
  ])('as ONNX alone: %s', async (name, mix, layerNorm) => {
    const representation = await mixFile(name.replaceAll(' ', '_'), mix, layerNorm)
    const ours = await vectorsOf(carriedModel, texts, { representation })
    expect(await differences(representation, ours)).toEqual({ ...all, library: 'usage.conflict' })
  })

  test('the embedding output', async () => {
    expect(await differences('h0', await vectorsOf(carriedModel, texts, { representation: 'h0' }))).toEqual(all)
  })
})

describe('the folder', () => {
  test('holds the blocks that count, and a config that says so', async () => {
    const { out, made } = await exported({ representation: 'h2', as: 'transformers' })
    const tensors = await openTensors(join(out, 'model.safetensors'))
    const layers = tensors.names().filter((name) => name.startsWith('encoder.layer.'))
    await tensors.close()
    expect(new Set(layers.map((name) => name.split('.')[2]))).toEqual(new Set(['0', '1']))
    const config = JSON.parse(readFileSync(join(out, 'config.json'), 'utf8')) as unknown
    expect(config).toMatchObject({ num_hidden_layers: 2, architectures: ['BertModel'] })
    expect([made.blocks, made.layers, made.width]).toEqual([2, 6, undefined])
    expect(readdirSync(out).sort()).toEqual([...made.files].sort())
  })

  test.each([
    ['float32', 'F32', 1e-6],
    // Half of the last of 8 bits, through a normed vector.
    ['bfloat16', 'BF16', 0.05],
  ] as const)('stores weights in %s', async (dtype, stored, tolerance) => {
    const { out } = await exported({ representation: 'h2', as: 'sentence-transformers', dtype })
    const tensors = await openTensors(join(out, 'model.safetensors'))
    const types = new Set(tensors.names().map((name) => tensors.info(name)?.dtype))
    await tensors.close()
    expect(types).toEqual(new Set([stored]))
    expect(
      difference(await vectorsOf(carriedModel, texts, { representation: 'h2' }), await vectorsOf(out, texts)),
    ).toBeLessThan(tolerance)
  })

  test('as ONNX has token types, tokens of a sum, none of normed vectors', async () => {
    const tokensOf = async (representation: string): Promise<number | undefined> =>
      (await onnxVectors((await exported({ representation, as: 'onnx' })).out, texts.slice(0, 1), maxLength)).tokens
    expect(await tokensOf(await mixFile('weighted', weighted))).toBe(width)
    expect(await tokensOf(await mixFile('cluster_pca', projection([1], [2])))).toBe(8)
    expect(await tokensOf(await mixFile('weighted', weighted, 'l2'))).toBeUndefined()
  })

  test('has a card with the scores that lie in the ledger, its own and the whole model’s', async () => {
    const model = await openModel(carriedModel)
    const revision = await model.revision()
    await model.close()
    for (const [representation, score] of [
      ['h4', 0.8123],
      ['default', 0.7654],
    ] as const) {
      const strata = {
        status: 'ok',
        model: carriedModel,
        revision,
        representation,
        profile: 'mteb-2',
        settings: {},
        fingerprint: 'f',
        version: '0',
        seconds: 1,
      } as const
      const scores = { test: [{ main_score: score, hf_subset: 'default', languages: ['eng-Latn'] }] }
      await writeResult(path('results'), { task_name: 'STS17', scores, strata })
    }
    const { out } = await exported({
      representation: 'h4',
      as: 'onnx',
      outputFolder: path('results'),
      command: 'strata export …',
    })
    const card = readFileSync(join(out, 'README.md'), 'utf8')
    expect(card).toContain(`base_model:\n- ${carriedModel}\n`)
    expect(card).toContain('| STS17 | 81.23 | 76.54 |')
    expect(frontMatter(card, 'card')).toMatchObject({
      'model-index': [
        {
          results: [
            {
              task: { type: 'STS' },
              dataset: { name: 'MTEB STS17', type: 'mteb/sts17-crosslingual-sts', config: 'default', split: 'test' },
              metrics: [{ type: 'cosine_spearman' }],
            },
          ],
        },
      ],
    })
    expect(card).toContain('strata export …')
  })

  test('that holds something stays as it is, unless it may be replaced', async () => {
    const out = path('taken')
    mkdirSync(out)
    writeFileSync(join(out, 'mine.txt'), 'mine')
    const options = { representation: 'h1', as: 'transformers', out } as const
    await expect(exportModel(carriedModel, options)).rejects.toThrow(
      expect.objectContaining({ code: 'usage.conflict' }) as Error,
    )
    expect(readdirSync(out)).toEqual(['mine.txt'])
    await exportModel(carriedModel, { ...options, overwrite: true })
    expect(existsSync(join(out, 'mine.txt'))).toBe(false)
    expect(existsSync(join(out, 'model.safetensors'))).toBe(true)
  })
})

test.each<[string, Partial<ExportModelOptions>]>([
  ['a length of 1 of a checkpoint', { as: 'transformers', normalize: true }],
  ['bfloat16 in a graph', { as: 'onnx', dtype: 'bfloat16' }],
  ['the pooler', { as: 'onnx', representation: 'default', pooling: 'pooler' }],
  ['the embedding output as a checkpoint', { as: 'transformers', representation: 'h0' }],
])('refused, and nothing is written: %s', async (name, options) => {
  const out = path(name.replaceAll(' ', '-'))
  const written = exportModel(carriedModel, { representation: 'h3', as: 'onnx', out, ...options })
  await expect(written).rejects.toThrow(expect.objectContaining({ code: 'usage.conflict' }) as Error)
  expect([existsSync(out), existsSync(`${out}.partial`)]).toEqual([false, false])
})

test('a folder with truncate_dim is exported with the same few numbers, normalised or not', async () => {
  const folder = path('truncated')
  cpSync(join(import.meta.dirname, '../../../assets/models/stories260K'), folder, { recursive: true })
  const list = ['Transformer', 'Pooling'].map((name, idx) => ({
    idx,
    name: String(idx),
    path: idx === 0 ? '' : '1_Pooling',
    type: `sentence_transformers.models.${name}`,
  }))
  mkdirSync(join(folder, '1_Pooling'))
  writeFileSync(join(folder, 'modules.json'), JSON.stringify(list))
  writeFileSync(join(folder, '1_Pooling', 'config.json'), JSON.stringify({ pooling_mode_mean_tokens: true }))
  writeFileSync(join(folder, 'config_sentence_transformers.json'), JSON.stringify({ truncate_dim: 8 }))
  const words = texts.slice(0, 3)
  const ours = await vectorsOf(folder, words)
  expect(ours.width).toBe(8)
  for (const normalize of [false, true]) {
    const out = path(`truncated-${String(normalize)}`)
    const made = await exportModel(folder, { representation: 'default', as: 'sentence-transformers', out, normalize })
    expect(made.width).toBe(8)
    const lengths = normalize ? words.map((_, r) => Math.hypot(...ours.data.subarray(r * 8, r * 8 + 8))) : [1, 1, 1]
    const wanted = { width: 8, data: ours.data.map((value, i) => value / (lengths[Math.floor(i / 8)] ?? 1)) }
    expect(difference(wanted, await vectorsOf(out, words))).toBeLessThan(sameGraph)
  }
  const out = path('truncated-onnx')
  expect((await exportModel(folder, { representation: 'default', out, as: 'onnx' })).width).toBe(8)
  expect(difference(ours, (await onnxVectors(out, words, 512)).padded)).toBeLessThan(otherGraph)
})
