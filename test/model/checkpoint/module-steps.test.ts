import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Fault, matrix } from '#core'
import { applyModules, laterWidth, readModules, type ModulesSpec } from '../../../src/model/checkpoint/modules.ts'
import { writeRepo, type TestTensor } from './made-repo.ts'

let folder: string
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'strata-steps-'))))
afterEach(async () => rm(folder, { recursive: true, force: true }))

const old = (name: string): string => `sentence_transformers.models.${name}`
const listed = (...modules: (readonly [string, string])[]): unknown =>
  modules.map(([type, path], idx) => ({ idx, name: String(idx), path, type: old(type) }))
const plain = { '1_Pooling/config.json': { word_embedding_dimension: 4, pooling_mode_mean_tokens: true } }

/** The spec of a repository with these files; `codeOf` the code of the fault instead. */
const specOf = async (contents: Record<string, unknown>): Promise<ModulesSpec | undefined> =>
  readModules(await writeRepo(folder, contents))
const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'no fault',
    (error: unknown) => (error instanceof Fault ? error.code : error),
  )

describe('what stands behind the pooling', () => {
  const dense = (config: Record<string, unknown>, weights: Record<string, TestTensor>): Record<string, unknown> => ({
    'modules.json': listed(['Transformer', ''], ['Pooling', '1_Pooling'], ['Dense', '2_Dense']),
    ...plain,
    '2_Dense/config.json': {
      in_features: 2,
      out_features: 3,
      bias: true,
      activation_function: 'torch.nn.modules.linear.Identity',
      ...config,
    },
    '2_Dense/model.safetensors': weights,
  })
  const linear = {
    'linear.weight': { shape: [3, 2], values: [1, 2, 3, 4, 5, 6] },
    'linear.bias': { shape: [3], values: [10, 20, -300] },
  }
  const pooled = matrix(2, 2, new Float32Array([1, -1, 0.5, 2]))
  const laterOf = async (contents: Record<string, unknown>): Promise<ModulesSpec['later']> =>
    (await specOf(contents))?.later ?? []
  const rowsOf = async (contents: Record<string, unknown>): Promise<number[]> => [
    ...applyModules(await laterOf(contents), pooled).data,
  ]

  test('Dense is act(x Wᵀ + b)', async () => {
    expect(await rowsOf(dense({}, linear))).toEqual([9, 19, -301, 14.5, 29.5, -285.5])
    expect(await rowsOf(dense({ activation_function: 'torch.nn.modules.activation.ReLU' }, linear))).toEqual([
      9, 19, 0, 14.5, 29.5, 0,
    ])
    expect(await rowsOf(dense({ bias: false }, { 'linear.weight': linear['linear.weight'] }))).toEqual([
      -1, -1, -1, 4.5, 9.5, 14.5,
    ])
  })

  test('Dense is tanh without a word on it', async () => {
    const later = await laterOf(dense({ activation_function: null }, linear))
    expect(later).toMatchObject([{ activation: 'Tanh' }])
    expect(applyModules(later, matrix(1, 2, new Float32Array([-5, -2]))).data[0]).toBe(Math.fround(Math.tanh(1)))
  })

  test('Dense with a residual adds its input, projected where the widths differ', async () => {
    const residual = { ...linear, 'residual.weight': { shape: [3, 2], values: [1, 0, 0, 1, 1, 1] } }
    expect(
      await rowsOf(dense({ use_residual: true, activation_function: 'torch.nn.modules.activation.ReLU' }, residual)),
    ).toEqual([10, 18, 0, 15, 31.5, 2.5])
    const square = { 'linear.weight': { shape: [2, 2], values: [0, 1, 1, 0] } }
    expect(await rowsOf(dense({ use_residual: true, out_features: 2, bias: false }, square))).toEqual([0, 0, 2.5, 2.5])
  })

  test('activations agree with their definitions in double precision', async () => {
    // scipy 1.17.1, numpy 2.4.6: the formulas of torch's documentation over erf, expit, logaddexp; rounded to float32.
    const at = [-7, -3, -0.7, 0.3, 2.4, 2.6, 9]
    const expected = {
      GELU: [
        -8.958667141456544e-12, -0.004049694165587425, -0.16937455534934998, 0.1853734254837036, 2.38032603263855,
        2.587880849838257, 9,
      ],
      SiLU: [
        -0.006377358455210924, -0.14227761328220367, -0.2322685569524765, 0.1723327487707138, 2.200385570526123,
        2.4202401638031006, 8.998889923095703,
      ],
      Mish: [
        -0.00638026325032115, -0.14564746618270874, -0.2678702473640442, 0.20800137519836426, 2.367023229598999,
        2.5752615928649902, 9,
      ],
      Sigmoid: [
        0.0009110511746257544, 0.04742587357759476, 0.3318122327327728, 0.5744425058364868, 0.9168273210525513,
        0.9308615922927856, 0.9998766183853149,
      ],
      LogSigmoid: [
        -7.000911235809326, -3.0485873222351074, -1.103186011314392, -0.554355263710022, -0.08683615177869797,
        -0.07164469361305237, -0.0001234021910931915,
      ],
      Softplus: [
        0.000911466428078711, 0.04858735203742981, 0.40318605303764343, 0.8543552160263062, 2.4868361949920654,
        2.671644687652588, 9.000123023986816,
      ],
      ELU: [-0.9990881085395813, -0.9502129554748535, -0.5034146904945374, 0.3, 2.4, 2.6, 9],
    }
    for (const [name, values] of Object.entries(expected)) {
      const later = await laterOf(
        dense(
          { in_features: 1, out_features: 1, bias: false, activation_function: `torch.nn.modules.activation.${name}` },
          { 'linear.weight': { shape: [1, 1], values: [1] } },
        ),
      )
      const { data } = applyModules(later, matrix(at.length, 1, Float32Array.from(at)))
      // The inputs are rounded to float32 here and were not there: half a unit in the last place, times a slope of at
      // most 1.1.
      values.forEach((value, i) =>
        expect(Math.abs((data[i] ?? Number.NaN) - value), `${name}(${at[i]})`).toBeLessThanOrEqual(
          1.5e-7 * Math.max(1, Math.abs(value)),
        ),
      )
    }
  })

  test('Normalize gives rows of length 1 and leaves zeros', () => {
    const length = fc.array(fc.float({ noNaN: true, noDefaultInfinity: true, min: -(2 ** 50), max: 2 ** 50 }), {
      minLength: 3,
      maxLength: 3,
    })
    fc.assert(
      fc.property(length, (values) => {
        const { data } = applyModules([{ kind: 'normalize' }], matrix(1, 3, Float32Array.from(values)))
        const norm = Math.hypot(...values)
        // Three float32 roundings of components below 1.
        expect(Math.abs(Math.hypot(...data) - (norm < 1e-12 ? norm / 1e-12 : 1))).toBeLessThan(3 * 2 ** -24)
      }),
      { seed: 7 },
    )
    expect([...applyModules([{ kind: 'normalize' }], matrix(1, 2)).data]).toEqual([0, 0])
  })

  test('LayerNorm centres and scales each row, then applies weight and bias', async () => {
    const later = await laterOf({
      'modules.json': listed(
        ['Transformer', ''],
        ['Pooling', '1_Pooling'],
        ['Dropout', '2_Dropout'],
        ['LayerNorm', '3_LayerNorm'],
      ),
      ...plain,
      '3_LayerNorm/config.json': { dimension: 4 },
      '3_LayerNorm/model.safetensors': {
        'norm.weight': { shape: [4], values: [1, 2, 1, 1] },
        'norm.bias': { shape: [4], values: [0, 0, 10, 0] },
      },
    })
    expect(later.map(({ kind }) => kind)).toEqual(['layer-norm'])
    const { data } = applyModules(later, matrix(1, 4, new Float32Array([1, 3, 5, 7])))
    const unit = 1 / Math.sqrt(5 + 1e-5)
    expect([...data]).toEqual([-3 * unit, -2 * unit, unit + 10, 3 * unit].map(Math.fround))
  })

  test('changes the width as its modules say, and refuses one that does not fit', async () => {
    const later = await laterOf(dense({}, linear))
    expect(laterWidth([...later, { kind: 'normalize' }], 2)).toBe(3)
    expect(() => laterWidth(later, 4)).toThrow(Fault)
    expect(() => applyModules([...later, ...later], pooled)).toThrow(Fault)
  })

  test('does not change what it is given', async () => {
    const before = pooled.data.slice()
    applyModules([...(await laterOf(dense({}, linear))), { kind: 'normalize' }], pooled)
    expect(pooled.data).toEqual(before)
    expect(applyModules([], pooled)).toBe(pooled)
  })

  const broken: readonly (readonly [
    what: string,
    code: string,
    config: Record<string, unknown>,
    weights: Record<string, TestTensor>,
  ])[] = [
    [
      'an activation of unknown name',
      'config.unsupported',
      { activation_function: 'torch.nn.modules.activation.PReLU' },
      linear,
    ],
    ['an activation from elsewhere', 'config.unsupported', { activation_function: 'os.system' }, linear],
    ['weights of another shape', 'tensor.shape', { in_features: 3 }, linear],
    ['a bias that is missing', 'tensor.missing', {}, { 'linear.weight': linear['linear.weight'] }],
    ['a bias that should not be there', 'config.value', { bias: false }, linear],
    ['a width beyond all measure', 'format.limit', { in_features: 2 ** 40 }, linear],
    ['a width that is no number', 'config.value', { in_features: '2' }, linear],
    ['token embeddings as input', 'config.unsupported', { module_input_name: 'token_embeddings' }, linear],
  ]
  test.each(broken)('%s is %s', async (_what, code, config, weights) => {
    expect(await codeOf(specOf(dense(config, weights)))).toBe(code)
  })

  test('a Dense without weights is file.missing', async () => {
    const { '2_Dense/model.safetensors': _, ...rest } = dense({}, linear)
    expect(await codeOf(specOf(rest))).toBe('file.missing')
  })
})
