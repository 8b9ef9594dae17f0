import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type MergeMethod, mergeMethodLaws, mergeMethods, type MergeMethodName } from '#model/merge-methods'
import { type Case, fixedMasks, run, makeTask, totalsOf } from './run-kernel.ts'

/** What required parameters are set to, and others where their default would hide something. */
const settings: Record<string, unknown> = {
  weight: [0.5, 0.25, 0.4],
  density: 0.5,
  t: 0.3,
  alpha: 0.4,
  beta: 0.3,
  task: 0,
  select_topk: 0.6,
  gamma: 0.2,
  tol: 1e-5,
}
const own: Partial<Record<MergeMethodName, Record<string, unknown>>> = {
  emr: { task: null },
  ramplus_tl: { alpha: 0.2 },
  iso_c: { alpha: 1 },
  svc: { alpha: 1 },
}

const parameters = (method: MergeMethod): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries({ ...settings, ...own[method.name as MergeMethodName] }).filter(
      ([name]) => name in method.parameters && !(name === 'weight' && method.parameters[name]!.scope === 'shared'),
    ),
  )

/** float32 values a little apart from a base, some of them exactly on it. */
const tensors = (method: MergeMethod, models = Math.min(3, method.inputs[1])): fc.Arbitrary<Case> =>
  fc
    .record({
      rows: fc.integer({ min: 1, max: 5 }),
      width: fc.integer({ min: 1, max: 9 }),
      seed: fc.infiniteStream(fc.integer({ min: -10_000, max: 10_000 })),
      flat: fc.boolean(),
    })
    .map(({ rows, width, seed, flat }) => {
      const draw = (): number[] => Array.from({ length: rows * width }, () => Math.fround(seed.next().value / 10_000))
      const base = draw()
      const inputs = Array.from({ length: models }, () =>
        draw().map((value, i) => (value > 0.9 ? base[i]! : Math.fround(base[i]! + value / 4))),
      )
      return {
        shape: flat ? [rows * width] : [rows, width],
        base: hasBase(method) ? base : undefined,
        inputs,
        params: parameters(method),
      }
    })

const hasBase = ({ base }: MergeMethod): boolean => base === 'required' || base === 'optional'
const bytes = (values: ArrayLike<number>): string => Buffer.from(Float64Array.from(values).buffer).toString('hex')
const gap = (got: ArrayLike<number>, want: readonly number[]): number =>
  Math.max(...want.map((value, i) => Math.abs(got[i]! - value)))
const runs = { numRuns: 25 }
const laws = mergeMethodLaws(parameters)

/** Methods that give back what all inputs agree on, and how they must be set for it. */
const unanimous: Partial<Record<MergeMethodName, Record<string, unknown>>> = {
  linear: {},
  slerp: {},
  nuslerp: {},
  multislerp: {},
  karcher: {},
  task_arithmetic: { normalize: true },
  ties: { density: 1 },
  dare_linear: { density: 1, normalize: true },
  dare_ties: { density: 1, normalize: true },
  della: { density: 1 },
  della_linear: { density: 1, normalize: true },
  breadcrumbs: { density: 1, normalize: true },
  breadcrumbs_ties: { density: 1, normalize: true },
  model_stock: {},
  sce: {},
  ram: { epsilon: 0 },
  passthrough: {},
  fisher: {},
  regmean: {},
  pcb: { density: 1 },
  magmax: {},
  emr: {},
}

/**
 * Inputs whose order means something: masks belong to positions, `task` is one, of equally large changes magmax takes
 * the later, and slerp starts from its base.
 */
const ordered = new Set<MergeMethodName>([
  'dare_linear',
  'dare_ties',
  'della',
  'della_linear',
  'tall_masks',
  'emr',
  'passthrough',
  'nearswap',
  'arcee_fusion',
  'slerp',
  'magmax',
])

describe.each(Object.entries(mergeMethods) as [MergeMethodName, MergeMethod][])('%s', (name, method) => {
  test('is listed under its name, with a source', () => {
    expect(method.name).toBe(name)
    expect(() => new URL(method.reference)).not.toThrow()
  })

  test.each(laws.filter(({ concerns }) => concerns?.(method) !== false))('$law', async ({ hold }) =>
    expect(await hold(method)).toBeUndefined(),
  )

  test.runIf(name in unanimous)('gives back what all inputs agree on', async () => {
    await fc.assert(
      fc.asyncProperty(tensors(method), async (given) => {
        const input = given.inputs[0]!
        const inputs = given.inputs.map(() => input)
        const base = name === 'slerp' ? input : given.base
        const { values } = await run(method, {
          ...given,
          base,
          inputs,
          params: { ...given.params, ...unanimous[name] },
        })
        // multislerp's eps, model_stock's smallest norms: absolute constants of 1e-8 and 1e-6 against norms of order 1
        const small = base !== input && Math.hypot(...input.map((value, i) => value - (base?.[i] ?? 0))) < 1e-2
        fc.pre(!small)
        expect(gap(values, input)).toBeLessThan(1e-6)
      }),
      runs,
    )
  })

  test.runIf(!ordered.has(name) && method.inputs[1] > 1)('does not care for the order of the inputs', async () => {
    await fc.assert(
      fc.asyncProperty(tensors(method, Math.min(3, method.inputs[1])), async (given) => {
        const { values } = await run(method, { ...given, params: { ...given.params, density: 1, select_topk: 1 } })
        const weights = (given.params?.['weight'] as number[] | undefined)?.slice(0, given.inputs.length).reverse()
        const back = await run(method, {
          ...given,
          inputs: given.inputs.toReversed(),
          params: {
            ...given.params,
            density: 1,
            select_topk: 1,
            ...(weights === undefined ? {} : { weight: weights }),
          },
        })
        // sums in another order; singular vectors of close values turn a little
        expect(gap(values, Array.from(back.values))).toBeLessThan(1e-7)
      }),
      runs,
    )
  })
})

describe('what a density leaves', () => {
  const given = { shape: [3, 2], base: [0, 0, 0, 0, 0, 0], inputs: [[0.1, -0.5, 0.2, 0.5, 0.3, 0]] }

  test('at least one element, and a note', async () => {
    const { values, notes } = await run(mergeMethods.ties, { ...given, params: { weight: 1, density: 0.16 } })
    expect(Array.from(values)).toEqual([0, -0.5, 0, 0, 0, 0])
    expect(notes).toEqual([expect.stringContaining('keeps none of input 1')])
  })

  test('⌊density · n⌋ elements, equal ones from the front, for any values and blocks', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(0.5, -0.5, 0.25, 1, -1e-30, 0, 3e38), { minLength: 1, maxLength: 40 }),
        fc.double({ min: 0.01, max: 0.99, noNaN: true }),
        async (values, density) => {
          const kept = Math.max(1, Math.floor(density * values.length))
          const order = values.map((_, i) => i).sort((i, j) => Math.abs(values[j]!) - Math.abs(values[i]!) || i - j)
          const want = values.map((value, i) => (order.indexOf(i) < kept ? value : 0))
          const tensor = {
            shape: [values.length],
            base: values.map(() => 0),
            inputs: [values],
            params: { weight: 1, density, normalize: false },
            grains: 3,
          }
          expect(gap((await run(mergeMethods.ties, tensor)).values, want)).toBe(0)
        },
      ),
    )
  })

  test('breadcrumbs without outliers keeps the largest, and nothing under mergekit-0.1.4', async () => {
    const params = { weight: 1, density: 0.5, gamma: 0.01 }
    expect(Array.from((await run(mergeMethods.breadcrumbs, { ...given, params })).values)).toEqual([
      0, -0.5, 0, 0.5, 0.3, 0,
    ])
    expect(
      Array.from((await run(mergeMethods.breadcrumbs, { ...given, params, compat: 'mergekit-0.1.4' })).values),
    ).toEqual(given.base)
  })
})

describe('tensors of several chunks', () => {
  const draw = (seed: number): number[] => Array.from({ length: 5001 }, (_, i) => Math.fround(Math.sin(i * seed)))
  const base = draw(0.7)
  const inputs = [0.9, 1.1, 1.3].map((seed) => draw(seed).map((value, i) => Math.fround(base[i]! + value / 8)))

  test.each([
    'ties',
    'dare_linear',
    'dare_ties',
    'breadcrumbs',
    'breadcrumbs_ties',
    'della',
    'task_arithmetic',
    'sce',
    'linear',
  ] as const)('%s: the same bits for float32 and float64, in one block and in many', async (name) => {
    for (const shape of [[5001], [3, 1667]]) {
      const given = { shape, base, inputs, params: parameters(mergeMethods[name]) }
      const whole = bytes((await run(mergeMethods[name], given)).values.map(Math.fround))
      for (const grains of [1000, 5001])
        expect(bytes((await run(mergeMethods[name], { ...given, dtype: 'f32', grains })).values)).toBe(whole)
    }
  })
})

describe('random masks', () => {
  const values = Array.from({ length: 4000 }, (_, i) => ((i * 7919) % 997) / 997 + 0.01)
  const given = { shape: [40, 100], base: values.map(() => 0), inputs: [values, values] }
  const kept = (got: ArrayLike<number>): number => Array.from(got).filter((value) => value !== 0).length

  test('keep the density, differ between inputs, and are the same for dare_linear and dare_ties', async () => {
    const one = { ...given, inputs: [values], params: { weight: 1, density: 0.3, rescale: 'none' } }
    const linear = (await run(mergeMethods.dare_linear, one)).values
    expect(Math.abs(kept(linear) / 4000 - 0.3)).toBeLessThan(0.037) // five standard deviations
    expect(bytes((await run(mergeMethods.dare_ties, one)).values)).toBe(bytes(linear))
    const { values: both } = await run(mergeMethods.dare_linear, {
      ...given,
      params: { weight: [1, -1], density: 0.3, rescale: 'none' },
    })
    expect(kept(both)).toBeGreaterThan(1000) // equal masks would cancel everywhere
  })

  test('of della keep large magnitudes more often', async () => {
    const { values: got } = await run(mergeMethods.della_linear, {
      ...given,
      inputs: [values],
      params: { weight: 1, density: 0.5, epsilon: 0.3, rescale: 'none' },
    })
    const large =
      values.filter((value, i) => value > 0.5 && got[i] !== 0).length / values.filter((value) => value > 0.5).length
    expect(Math.abs(large - 0.65)).toBeLessThan(0.06) // mean probability of the upper half: 0.5 + 0.3/2, five standard deviations
  })

  test('of della divide by the probability of each element under paper', async () => {
    const words = fixedMasks([[1, 1, 1]])
    const row = {
      shape: [3],
      base: [0, 0, 0],
      inputs: [[2, 1, 3]],
      random: words,
      params: { weight: 1, density: 0.5, epsilon: 0.25 },
      compat: 'paper' as const,
    }
    expect(gap((await run(mergeMethods.della_linear, row)).values, [2 / 0.5, 1 / 0.25, 3 / 0.75])).toBeLessThan(1e-15)
  })

  test('of della refuse probabilities beyond 0 and 1', async () => {
    await expect(
      run(mergeMethods.della, { ...given, params: { weight: 1, density: 0.1, epsilon: 0.15 } }),
    ).rejects.toMatchObject({ code: 'config.value' })
  })
})

describe('passes over the whole model', () => {
  const small = { shape: [2], base: [0, 0], inputs: [[1, 2], [3, -4]] } // prettier-ignore
  const large = { shape: [2], base: [0, 0], inputs: [[10, 0], [-20, 30]] } // prettier-ignore

  test('emr scales a task by sums over all tensors', async () => {
    const params = { task: 0 }
    const sums = [small, large].map((given) => {
      const pass = mergeMethods.emr.modelPass!(makeTask(mergeMethods.emr, { ...given, params }), 0)
      return totalsOf(pass!, given, mergeMethods.emr)
    })
    const totals = [Float64Array.from(sums[0]!, (sum, i) => sum + sums[1]![i]!)]
    // Σ|τ| = 1 + 2 + 10 + 0; the unified vectors are (3, −4) and (−20, 30), of which the mask takes 3 alone
    expect(Array.from(totals[0]!)).toEqual([13, 3])
    const { values } = await run(mergeMethods.emr, { ...small, params, task: { totals } })
    expect(Array.from(values)).toEqual([13, 0])
    expect(mergeMethods.emr.modelPass!(makeTask(mergeMethods.emr, small), 0)).toBeUndefined()
    expect(mergeMethods.emr.modelPass!(makeTask(mergeMethods.emr, { ...small, params }), 1)).toBeUndefined()
  })

  test('fisher divides by norms over all tensors', async () => {
    const given = {
      shape: [1],
      inputs: [[1], [5]],
      extras: [{ fisher: [1] }, { fisher: [1] }],
      params: { fisher_norm: 'inverse' },
    }
    const { values } = await run(mergeMethods.fisher, { ...given, task: { totals: [Float64Array.of(1, 9)] } })
    expect(values[0]).toBeCloseTo(0.75 * 1 + 0.25 * 5, 5) // norms 1 and 3; floors of 1e-6 aside
  })
})

describe('lines', () => {
  test.each([
    [{ side: 'before' as const }, 0.4],
    [{ layer: { index: 0, count: 3 } }, 0.4],
    [{ layer: { index: 1, count: 3 } }, 0.55],
    [{ layer: { index: 2, count: 3 } }, 0.7],
    [{ side: 'after' as const }, 0.7],
  ])('%j moves by %d', async (task, want) => {
    const { values } = await run(mergeMethods.lines, {
      shape: [1],
      base: [1],
      inputs: [[2]],
      params: { alpha: 0.4, beta: 0.3 },
      task,
    })
    expect(values[0]).toBeCloseTo(1 + want, 12)
  })
})

describe('model_stock', () => {
  test('keeps its share within 0 and 1 on request', async () => {
    const given = { shape: [2], base: [0, 0], inputs: [[1, 0.1], [-1, 0.1]] } // prettier-ignore
    expect(Math.abs((await run(mergeMethods.model_stock, given)).values[1]!)).toBeGreaterThan(1)
    expect(Array.from((await run(mergeMethods.model_stock, { ...given, params: { clamp: true } })).values)).toEqual([
      0, 0,
    ])
  })
})
