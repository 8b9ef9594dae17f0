import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { roundingOf } from '../../../src/model/merge/engine/storage-rounding.ts'
import type { Compat } from '../../../src/model/merge-methods/method.ts'
import { type MergeMethodName, mergeMethods } from '#model/merge-methods'
import { shared, sharedPath } from '../../shared.ts'
import { fixedMasks, run } from './run-kernel.ts'

interface Tensor {
  shape: number[]
  data: number[]
}
type Status = 'agree' | 'recommended' | 'legacy-only' | 'engine-choice' | 'paper'
interface Vector {
  id: string
  method: MergeMethodName
  status: Status
  base: Tensor | null
  inputs: Tensor[]
  params: Record<string, unknown>
  expected: Tensor | Record<string, unknown>
  tolerance: { abs: number; rel: number }
  masks?: number[][]
  deterministic_given_masks?: boolean
}

// merge_vectors.json: an independent float64 reference, checked against mergekit 0.1.4 (commit a6e4028) and FusionBench
// 0.2.33
const vectors =
  shared === undefined
    ? []
    : (JSON.parse(readFileSync(sharedPath('specs', 'merge_vectors.json'), 'utf8')) as { vectors: Vector[] }).vectors
const known = vectors.filter(({ method }) => method in mergeMethods)
const plain = known.filter(({ expected }) => Array.isArray(expected['data']))
const asked = (id: string): Vector => known.find((vector) => vector.id === id) ?? expect.fail(`no vector ${id}`)

const profiles: Record<Status, Compat> = {
  agree: 'exact',
  recommended: 'exact',
  'legacy-only': 'mergekit-0.1.4',
  'engine-choice': 'exact',
  paper: 'paper',
}

function caseOf(
  { base, inputs, params, status, masks, deterministic_given_masks: masked }: Vector,
  compat: Compat = profiles[status],
) {
  const bf16 = params['dtype'] === 'bfloat16'
  const perInput = (kind: string) =>
    (params[kind] as number[][][] | undefined)?.map((matrix) => ({ [kind]: matrix.flat() }))
  const extras = perInput('fisher') ?? perInput('gram')
  return {
    given: {
      shape: inputs[0]!.shape,
      base: base?.data,
      inputs: inputs.map(({ data }) => data),
      params: { ...params, ...(params['coefficients'] === undefined ? {} : { weight: params['coefficients'] }) },
      compat,
      round: roundingOf(compat, bf16 ? 'BF16' : 'F64'),
      ...(masked === true && masks !== undefined ? { random: fixedMasks(masks) } : {}),
      ...(extras === undefined ? {} : { extras }),
    },
    // the one rounding when the result is stored
    stored: bf16 ? roundingOf('mergekit-0.1.4', 'BF16') : (value: number) => value,
  }
}

/** Largest difference in units of what is tolerated. */
function excess(got: ArrayLike<number>, want: readonly number[], { abs, rel }: Vector['tolerance']): number {
  if (got.length !== want.length) return Infinity
  return Math.max(
    ...want.map((value, i) => (got[i] === value ? 0 : Math.abs(got[i]! - value) / (abs + rel * Math.abs(value)))),
  )
}

describe.skipIf(shared === undefined)('the vectors of merging.md', () => {
  test.each(plain)('$id ($status)', async (vector) => {
    const { given, stored } = caseOf(vector)
    const { values } = await run(mergeMethods[vector.method], given)
    expect(excess(Array.from(values, stored), (vector.expected as Tensor).data, vector.tolerance)).toBeLessThanOrEqual(
      1,
    )
  })

  // What is agreed on is the same in every profile, but for the papers' own arithmetic.
  test.each(plain.filter(({ status }) => status === 'agree'))('$id under mergekit-0.1.4', async (vector) => {
    const { given, stored } = caseOf(vector, 'mergekit-0.1.4')
    const { values } = await run(mergeMethods[vector.method], given)
    expect(excess(Array.from(values, stored), (vector.expected as Tensor).data, vector.tolerance)).toBeLessThanOrEqual(
      1,
    )
  })

  test('linear-zero-sum: weights without a sum are refused, and give what they give under mergekit-0.1.4', async () => {
    await expect(run(mergeMethods.linear, caseOf(asked('linear-zero-sum')).given)).rejects.toMatchObject({
      code: 'config.value',
    })
    const { values } = await run(mergeMethods.linear, caseOf(asked('linear-zero-sum'), 'mergekit-0.1.4').given)
    expect(Array.from(values).some(Number.isFinite)).toBe(false)
  })

  test.each(['della-probabilities', 'della-probabilities-1d'])(
    '%s: kept below the probability and not above',
    async (id) => {
      const vector = asked(id)
      const { keep_probabilities: want } = vector.expected as unknown as { keep_probabilities: Tensor }
      for (const [at, probability] of want.data.entries()) {
        for (const [shift, keeps] of [
          [-1e-6, true],
          [1e-6, false],
        ] as const) {
          const word = Math.floor((probability + shift) * 2 ** 32)
          const { given } = caseOf({
            ...vector,
            params: { ...vector.params, weight: 1, rescale: 'none', normalize: false },
          })
          const { values } = await run(mergeMethods.della, { ...given, random: () => (_, out) => void out.fill(word) })
          expect(values[at] === vector.inputs[0]!.data[at]).toBe(keeps)
        }
      }
    },
  )

  test('emr-3: the unified vector, the masks and the scales', async () => {
    const { base, inputs, expected, tolerance } = asked('emr-3')
    const want = expected as unknown as { unified: Tensor; masks: number[][]; rescalers: number[] }
    const given = { shape: base!.shape, base: base!.data, inputs: inputs.map(({ data }) => data) }
    const unified = await run(mergeMethods.emr, given)
    expect(
      excess(
        unified.values.map((value, i) => value - base!.data[i]!),
        want.unified.data,
        tolerance,
      ),
    ).toBeLessThanOrEqual(1)
    for (const [task, mask] of want.masks.entries()) {
      const { values } = await run(mergeMethods.emr, { ...given, params: { task } })
      expect(
        excess(
          values,
          base!.data.map((value, i) => value + want.rescalers[task]! * mask[i]! * want.unified.data[i]!),
          tolerance,
        ),
      ).toBeLessThanOrEqual(1)
    }
  })

  test('consensus-ta-3: the masks of the tasks', async () => {
    const { base, inputs, params } = asked('consensus-ta-3')
    const { task_masks: masks } = asked('consensus-ta-3') as unknown as { task_masks: number[][] }
    const sum = base!.data.map((value, i) => inputs.reduce((all, { data }) => all + data[i]! - value, 0))
    for (const [task, mask] of masks.entries()) {
      const given = {
        shape: base!.shape,
        base: base!.data,
        inputs: inputs.map(({ data }) => data),
        params: { lambda_mask: params['lambda_mask'], task },
      }
      const { values } = await run(mergeMethods.tall_masks, given)
      expect(
        excess(
          values,
          base!.data.map((value, i) => value + mask[i]! * sum[i]!),
          { abs: 1e-12, rel: 0 }, // float64 all through
        ),
      ).toBeLessThanOrEqual(1)
    }
  })

  test('every vector of a method is one of these', () => {
    const apart = ['linear-zero-sum', 'della-probabilities', 'della-probabilities-1d', 'emr-3']
    expect(known.map(({ id }) => id).filter((id) => !apart.includes(id))).toEqual(plain.map(({ id }) => id))
    // the two that belong to adapters, not to methods
    expect(vectors.filter((vector) => !known.includes(vector)).map(({ id }) => id)).toEqual([
      'lora-apply',
      'lora-extract-rank1-product',
    ])
  })
})

// system.md §3.3 and §4.3; numbers printed to eight digits
const base = [0.1, -0.2, 0.3, 0.4, 0.5, -0.6, 0, 0.2]
const a = [0.5, -0.1, 0, 0.45, 0.3, 0, 0.15, -0.3]
const b = [0, 0.1, 0.1, 0.65, 0.85, -0.65, 0.45, -0.2]
const printed = { abs: 6e-9, rel: 0 }
const both = { shape: [2, 4], base, inputs: [a, b] }

describe('worked examples', () => {
  test.each<[string, MergeMethodName, Record<string, unknown>, number[]]>([
    ['linear .6/.2', 'linear', { weight: [0.6, 0.2] }, [0.375, -0.05, 0.025, 0.5, 0.4375, -0.1625, 0.225, -0.275]],
    [
      'task arithmetic .7/.5, λ .8',
      'task_arithmetic',
      { weight: [0.7, 0.5], lambda: 0.8 },
      [0.284, -0.024, 0.052, 0.528, 0.528, -0.284, 0.264, -0.24],
    ],
    ['ties, density .5', 'ties', { weight: [1, 0.5], density: 0.5 }, [0.5, 0.1, 0, 0.4, 0.85, 0, 0.45, -0.26666667]],
    [
      'ties, rescaled',
      'ties',
      { weight: [1, 0.5], density: 0.5, rescale: true },
      [0.61111111, 0.22, -0.08333333, 0.4, 0.99, 0.16666667, 0.63, -0.41259259],
    ],
    [
      'ties, not normalised',
      'ties',
      { weight: [1, 0.5], density: 0.5, normalize: false },
      [0.5, -0.05, 0, 0.4, 0.675, 0, 0.225, -0.5],
    ],
  ])('%s', async (_, name, params, want) => {
    const given = name === 'linear' ? { ...both, base: undefined } : both
    expect(excess((await run(mergeMethods[name], { ...given, params })).values, want, printed)).toBeLessThanOrEqual(1)
  })

  test('slerp', async () => {
    const far = await run(mergeMethods.slerp, { shape: [2, 4], base: a, inputs: [b], params: { t: 0.3 } })
    expect(
      excess(
        far.values,
        [0.37756768, -0.04122301, 0.03429053, 0.56269933, 0.51801008, -0.22288842, 0.26757767, -0.29512166],
        printed,
      ),
    ).toBeLessThanOrEqual(1)
    const half = await run(mergeMethods.slerp, { shape: [2, 4], base, inputs: [a], params: { t: 0.5 } })
    expect(
      excess(
        half.values,
        [0.35506489, -0.17753245, 0.17753245, 0.50300859, 0.47341985, -0.35506489, 0.08876622, -0.05917748],
        printed,
      ),
    ).toBeLessThanOrEqual(1)
  })

  test('fisher, plain and by inverse norms', async () => {
    const extras = [{ fisher: [1, 2, 0, 0.5, 0.1, 3, 1, 1] }, { fisher: [2, 1, 0, 0.5, 0.4, 1, 1, 0] }]
    const given = { shape: [2, 4], inputs: [a, b], extras, params: { weight: [0.7, 0.3] } }
    const plainMean = await run(mergeMethods.fisher, given)
    expect(
      excess(
        plainMean.values,
        [0.26923083, -0.06470587, 0.03, 0.51, 0.64736746, -0.08125005, 0.24, -0.29999996],
        printed,
      ),
    ).toBeLessThanOrEqual(1)
    const byNorm = await run(mergeMethods.fisher, { ...given, params: { weight: [0.7, 0.3], fisher_norm: 'inverse' } })
    expect(
      excess(
        byNorm.values,
        [0.22029258, -0.05181101, 0.03883248, 0.52766497, 0.69460642, -0.11352745, 0.26649745, -0.29999994],
        printed,
      ),
    ).toBeLessThanOrEqual(1)
  })

  // By hand, base 0: trimmed to {0, 1} and {1, 3}; element 1: 4 − 2 > 0, so the first alone; elements 0 and 3 have one
  // survivor.
  test('ties by hand', async () => {
    const given = {
      shape: [4],
      base: [0, 0, 0, 0],
      inputs: [
        [3, 4, 1, 0],
        [1, -2, 0, -2],
      ],
    }
    expect(
      Array.from((await run(mergeMethods.ties, { ...given, params: { weight: 1, density: 0.5 } })).values),
    ).toEqual([3, 4, 0, -2])
  })

  // By hand: of magnitudes 1 … 5 the largest goes, the next two stay.
  test('breadcrumbs by hand', async () => {
    const given = { shape: [5], base: [0, 0, 0, 0, 0], inputs: [[1, -2, 3, -4, 5]] }
    expect(
      Array.from(
        (await run(mergeMethods.breadcrumbs, { ...given, params: { weight: 1, density: 0.4, gamma: 0.2 } })).values,
      ),
    ).toEqual([0, 0, 3, -4, 0])
  })

  test('dare: the same words, the same mask, whatever the method; kept and scaled by the ratio of L1 norms', async () => {
    const given = { shape: [4], base: [0, 0, 0, 0], inputs: [[1, 1, 2, 4]], random: fixedMasks([[1, 0, 1, 0]]) }
    for (const method of [mergeMethods.dare_linear, mergeMethods.dare_ties])
      expect(Array.from((await run(method, { ...given, params: { weight: 1, density: 0.5 } })).values)).toEqual([
        8 / 3,
        0,
        16 / 3,
        0,
      ])
    const byDensity = await run(mergeMethods.dare_linear, {
      ...given,
      params: { weight: 1, density: 0.5, rescale: 'density' },
    })
    expect(Array.from(byDensity.values)).toEqual([2, 0, 4, 0])
  })
})
