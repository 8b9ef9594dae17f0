/**
 * Constants that decide between two formulas, or bound one: values on both sides of each, worked out here in float64
 * from the formulas of the papers and of mergekit.
 */
import { describe, expect, test } from 'vitest'
import { roundingOf } from '../../../src/model/merge/engine/storage-rounding.ts'
import { mergeMethods } from '#model/merge-methods'
import { fixedMasks, run } from './run-kernel.ts'

type Vector = readonly number[]

/** Of the larger values. All is float64, but a cosine near 1 loses half the digits of its angle. */
function error(got: ArrayLike<number>, want: Vector): number {
  return Math.max(...want.map((value, i) => Math.abs(got[i]! - value))) / Math.max(...want.map(Math.abs))
}

const atAngle = (angle: number, length = 1): Vector => [length * Math.cos(angle), length * Math.sin(angle)]
const mix = (own: number, a: Vector, other: number, b: Vector): Vector =>
  a.map((value, i) => own * value + other * b[i]!)

/** Shoemake's formula. */
function spherical(t: number, angle: number, a: Vector, b: Vector): Vector {
  return mix(Math.sin((1 - t) * angle) / Math.sin(angle), a, Math.sin(t * angle) / Math.sin(angle), b)
}

const t = 0.3

describe('slerp', () => {
  const along = [1, 0]
  const slerp = async (a: Vector, b: Vector): Promise<ArrayLike<number>> =>
    (await run(mergeMethods.slerp, { shape: [2], base: a, inputs: [b], params: { t } })).values

  test.each([0.9993, 0.9994999, -0.9993, -0.9994999])('takes the arc at a cosine of %d', async (cosine) => {
    const angle = Math.acos(cosine)
    expect(error(await slerp(along, atAngle(angle)), spherical(t, angle, along, atAngle(angle)))).toBeLessThan(1e-9)
  })

  test.each([0.9995001, 0.9997, -0.9995001, -0.9997])('takes the straight line at a cosine of %d', async (cosine) => {
    const b = atAngle(Math.acos(cosine))
    expect(error(await slerp(along, b), mix(1 - t, along, t, b))).toBeLessThan(1e-9)
  })

  test('normalises a vector longer than 1e-8, and none shorter', async () => {
    const b = atAngle(Math.PI / 4)
    const [long, short] = [atAngle(0, 1.1e-8), atAngle(0, 0.9e-8)]
    expect(error(await slerp(long, b), spherical(t, Math.PI / 4, long, b))).toBeLessThan(1e-9)
    expect(error(await slerp(short, b), spherical(t, Math.acos(short[0]! * b[0]!), short, b))).toBeLessThan(1e-9)
    const [near, far] = [atAngle(0, 1.1e-8), atAngle(Math.PI / 4, 1.1e-8)]
    expect(error(await slerp(near, far), spherical(t, Math.PI / 4, near, far))).toBeLessThan(1e-9)
    const [closer, further] = [atAngle(0, 0.9e-8), atAngle(Math.PI / 4, 0.9e-8)]
    expect(error(await slerp(closer, further), spherical(t, Math.PI / 2, closer, further))).toBeLessThan(1e-9)
  })
})

describe('nuslerp', () => {
  const nuslerp = async (a: Vector, b: Vector, weight: Vector): Promise<ArrayLike<number>> =>
    (await run(mergeMethods.nuslerp, { shape: [2], inputs: [a, b], params: { weight } })).values
  const [a, b] = [atAngle(0), atAngle(1)]

  test('takes the middle where the weights add up to less than 1e-6', async () => {
    expect(error(await nuslerp(a, b, [0.8e-6, 0.3e-6]), spherical(0.3 / 1.1, 1, a, b))).toBeLessThan(1e-9)
    expect(error(await nuslerp(a, b, [0.6e-6, 0.3e-6]), spherical(0.5, 1, a, b))).toBeLessThan(1e-9)
  })

  test('divides by at least 1e-7 for a length', async () => {
    const [long, short] = [atAngle(0, 1.1e-7), atAngle(0, 0.5e-7)]
    expect(error(await nuslerp(long, b, [0.7, 0.3]), spherical(t, 1, long, b))).toBeLessThan(1e-9)
    expect(
      error(await nuslerp(short, b, [0.7, 0.3]), spherical(t, Math.acos(0.5 * Math.cos(1)), short, b)),
    ).toBeLessThan(1e-9)
    expect(
      error(await nuslerp(b, short, [0.3, 0.7]), spherical(0.7, Math.acos(0.5 * Math.cos(1)), b, short)),
    ).toBeLessThan(1e-9)
  })

  // The sine of neighbours of −1 is 1e-8 and more, that of −1 itself 1e-16: there the arc has no direction, and the
  // line is taken.
  test('takes the straight line between opposites only', async () => {
    expect(error(await nuslerp(a, [-1, 0], [0.7, 0.3]), [0.4, 0])).toBeLessThan(1e-9)
    expect(Math.hypot(...Array.from(await nuslerp(a, [-1, 2e-8], [0.7, 0.3])))).toBeGreaterThan(0.5)
    expect(Math.abs((await nuslerp(a, [-1, 2e-8], [0.7, 0.3]))[1]!)).toBeGreaterThan(0.1)
  })
})

describe('nuslerp of mergekit 0.1.4, in float32', () => {
  const nuslerp = async (a: Vector, b: Vector): Promise<ArrayLike<number>> => {
    const [compat, params] = ['mergekit-0.1.4' as const, { weight: [0.7, 0.3] }]
    return (
      await run(mergeMethods.nuslerp, { shape: [2], inputs: [a, b], params, compat, round: roundingOf(compat, 'F32') })
    ).values
  }

  test('divides by at least 1e-7 for a length', async () => {
    const [long, short, b] = [atAngle(0, 1.1e-7), atAngle(0, 0.5e-7), atAngle(1)]
    expect(error(await nuslerp(long, b), spherical(t, 1, long, b))).toBeLessThan(1e-6)
    expect(error(await nuslerp(short, b), spherical(t, Math.acos(0.5 * Math.cos(1)), short, b))).toBeLessThan(1e-6)
  })

  // Half a thousandth short of opposite: the arc passes far from both, the straight line does not leave their axis.
  test('takes the arc next to opposites', async () => {
    expect((await nuslerp([1, 0], [-1, 4.88e-4]))[1]).toBeGreaterThan(0.1)
  })
})

describe('multislerp', () => {
  const multislerp = async (inputs: readonly Vector[]): Promise<ArrayLike<number>> =>
    (await run(mergeMethods.multislerp, { shape: [2], inputs, params: { weight: inputs.map(() => 1) } })).values

  test('takes the straight line where the directions add up to less than 4e-8', async () => {
    expect((await multislerp([atAngle(0), [-1, 6e-8]]))[1]).toBeCloseTo(3e-8, 12)
    // One direction is left; its length is known to a tenth, from products next to 1.
    expect((await multislerp([atAngle(0), [-1, 1e-7]]))[1]).toBeCloseTo(1, 0)
  })

  test('adds 1e-8 to every length it divides by', async () => {
    const [x, y] = [0.5 * (2e-8 / 3e-8), 0.5 / (1 + 1e-8)]
    const radius = (1 + 2e-8) / 2 / Math.hypot(x, y)
    expect(error(await multislerp([atAngle(0, 2e-8), [0, 1]]), [x * radius, y * radius])).toBeLessThan(1e-9)
  })

  test('refuses directions that cancel out unless all lengths are below 1e-8', async () => {
    const three = (length: number): Vector[] => [0, 1, 2].map((third) => atAngle((third * 2 * Math.PI) / 3, length))
    await expect(multislerp(three(1.1e-8))).rejects.toMatchObject({ code: 'tensor.value' })
    expect(Math.hypot(...Array.from(await multislerp(three(0.9e-8))))).toBeLessThan(1e-20)
  })
})

describe('karcher', () => {
  const karcher = async (inputs: readonly Vector[], params: Record<string, unknown> = {}): Promise<ArrayLike<number>> =>
    (await run(mergeMethods.karcher, { shape: [inputs[0]!.length], inputs, params })).values
  const dot = (a: Vector, b: Vector): number => a.reduce((sum, value, i) => sum + value * b[i]!, 0)
  const length = (a: Vector): number => Math.sqrt(dot(a, a))
  const times = (factor: number, a: Vector): Vector => a.map((value) => factor * value)
  const plus = (a: Vector, b: Vector): Vector => a.map((value, i) => value + b[i]!)
  const unit = (a: Vector): Vector => times(1 / length(a), a)

  /** Karcher's iteration on the vectors themselves. */
  function mean(inputs: readonly Vector[], iterations: number, tolerance: number): Vector {
    const units = inputs.filter((one) => length(one) > tolerance).map(unit)
    let at = unit(units.reduce(plus))
    for (let i = 0; i < iterations; i++) {
      const steps = units.map((one) => {
        const angle = Math.acos(Math.min(1, dot(at, one)))
        return angle < tolerance
          ? times(0, one)
          : times(angle / Math.sin(angle) / units.length, plus(one, times(-Math.cos(angle), at)))
      })
      const step = steps.reduce(plus)
      if (length(step) < tolerance) break
      at = unit(plus(times(Math.cos(length(step)), at), times(Math.sin(length(step)) / length(step), step)))
    }
    return times(inputs.reduce((sum, one) => sum + length(one), 0) / inputs.length, at)
  }

  // So far apart that ten rounds are not enough, nor eleven the same.
  const apart = [
    [1, 0, 0.05],
    [-0.7, 1, 0.1],
    [-0.6, -0.9, 0.15],
  ]

  test('stops after ten rounds', async () => {
    expect(error(await karcher(apart, { tol: 1e-12 }), mean(apart, 10, 1e-12))).toBeLessThan(1e-8)
    for (const rounds of [9, 11])
      expect(length(plus(mean(apart, rounds, 1e-12), times(-1, mean(apart, 10, 1e-12))))).toBeGreaterThan(1e-6)
  })

  test('leaves the direction of an input shorter than 1e-5 out', async () => {
    for (const short of [0.9e-5, 1.1e-5]) {
      const inputs = [atAngle(0), atAngle(1), atAngle(1.4, short)]
      expect(error(await karcher(inputs), mean(inputs, 10, 1e-5))).toBeLessThan(1e-9)
    }
  })
})

describe('sce', () => {
  const base = [0, 0]
  // Only the second input has the sign of the second element's sum; its share is that of its squares.
  test.each([900, 1100])('divides by at least 1e-6, beside a change of %d', async (large) => {
    const inputs = [
      [large, -0.5],
      [0.1, 1],
    ]
    const [first, second] = [large ** 2 + 0.25, 1.01]
    const share = second / (first + second)
    const { values } = await run(mergeMethods.sce, { shape: [2], base, inputs, params: { select_topk: 1 } })
    expect(error([values[1]!], [share / Math.max(share, 1e-6)])).toBeLessThan(1e-9)
  })

  test.each([0.95e-3, 1.05e-3])(
    'of mergekit 0.1.4 takes equal shares below a sum of mean squares of 1e-6: changes of %d',
    async (size) => {
      const inputs = [
        [size * Math.SQRT2 * Math.sin(1), 0.25 * size * 1e-3],
        [size * Math.SQRT2 * Math.cos(1), 0],
      ]
      const [first, second] = inputs.map(([x = 0, y = 0]) => (x * x + y * y) / 2) as [number, number]
      const own = first + second < 1e-6 ? 0.5 : first / (first + second)
      const { values } = await run(mergeMethods.sce, {
        shape: [2],
        base,
        inputs,
        params: { select_topk: 1 },
        compat: 'mergekit-0.1.4',
      })
      expect(error([values[0]!], [own * inputs[0]![0]! + (1 - own) * inputs[1]![0]!])).toBeLessThan(1e-9)
    },
  )
})

describe('model_stock', () => {
  const stock = async (inputs: readonly Vector[]): Promise<ArrayLike<number>> =>
    (await run(mergeMethods.model_stock, { shape: [2], base: [0, 0], inputs })).values

  // t = 2c / (1 + c), towards the base.
  test.each([0.9e-3, 1.1e-3])('divides by at least 1e-6 for a product of lengths: %d', async (size) => {
    const [a, b] = [atAngle(0, size), atAngle(1, size)]
    const cosine = (size ** 2 * Math.cos(1)) / Math.max(size ** 2, 1e-6)
    expect(error(await stock([a, b]), mix(cosine / (1 + cosine), a, cosine / (1 + cosine), b))).toBeLessThan(1e-9)
  })

  test('keeps the base where changes point apart, within 1e-6', async () => {
    const opposite = (cosine: number): Vector => [cosine, Math.sqrt(1 - cosine ** 2)]
    expect(Array.from(await stock([[1, 0], opposite(-1 + 0.9e-6)]))).toEqual([0, 0])
    const [near, cosine] = [opposite(-1 + 1.1e-6), -1 + 1.1e-6]
    expect(error(await stock([[1, 0], near]), mix(cosine / 1.1e-6, [1, 0], cosine / 1.1e-6, near))).toBeLessThan(1e-6)
  })
})

test.each([0.9e-6, 1.1e-6])('nearswap divides by at least 1e-6 for a distance: %d', async (distance) => {
  const factor = 0.5e-6
  const share = factor / Math.max(distance, 1e-6)
  const { values } = await run(mergeMethods.nearswap, {
    shape: [1],
    base: [0],
    inputs: [[distance]],
    params: { t: factor },
  })
  expect(error(values, [share * distance])).toBeLessThan(1e-9)
})

test('ram takes changes above 1e-5', async () => {
  const given = {
    shape: [2],
    base: [0, 0],
    inputs: [
      [1, 1],
      [0.9e-5, 1.1e-5],
    ],
  }
  expect(error((await run(mergeMethods.ram, given)).values, [1, (1 + 1.1e-5) / 2])).toBeLessThan(1e-9)
})

test('ramplus_tl takes changes above 1e-5, and raises those of one input by a tenth of its share of shared ones, a fifth at most', async () => {
  const inputs = [
    [1, 1, 0, 0],
    [1, 0, 0.9e-5, 1.1e-5],
  ]
  const { values } = await run(mergeMethods.ramplus_tl, { shape: [4], base: [0, 0, 0, 0], inputs })
  expect(
    Array.from(values)
      .map((value, i) => Math.abs(value - [1, 1.02, 0, 1.02 * 1.1e-5][i]!))
      .every((off) => off < 1e-15),
  ).toBe(true)
})

test.each([0.9e-4, 1.1e-4])('knots_ties leaves out singular values up to 1e-4: %d', async (value) => {
  const { values } = await run(mergeMethods.knots_ties, {
    shape: [2, 2],
    base: [0, 0, 0, 0],
    inputs: [[1, 0, 0, value]],
    params: { weight: 1 },
  })
  expect(Math.abs(values[3]! - (value > 1e-4 ? value : 0))).toBeLessThan(1e-12)
})

/** Importances by the definition, with any number added to all probabilities: the elements from the threshold on. */
function important(base: Vector, input: Vector, width: number, floor: number): boolean[] {
  const softmax = (row: Vector): Vector => {
    const sum = row.reduce((all, value) => all + Math.exp(value), 0)
    return row.map((value) => Math.exp(value) / sum + floor)
  }
  const importances = input.map((value, i) => {
    const from = i - (i % width)
    const [p, q] = [softmax(input.slice(from, from + width)), softmax(base.slice(from, from + width))]
    return Math.abs(value - base[i]!) * p.reduce((sum, chance, k) => sum + chance * Math.log(chance / q[k]!), 0)
  })
  const sorted = importances.toSorted((a, b) => a - b)
  const at = (quantile: number): number => sorted[Math.floor(quantile * (sorted.length - 1))]!
  return importances.map((value) => value >= at(0.5) + 1.5 * (at(0.75) - at(0.25)))
}

test('arcee_fusion adds 1e-8 to all probabilities', async () => {
  const [base, input] = [
    [-30, 0.4, 0.1, 1.4, 1, 0.4, 1.1, 0.6],
    [0.2, 2.2, 2.7, 3.2, 3.5, 3.6, 0.7, 2.6],
  ]
  const want = important(base, input, 4, 1e-8)
  for (const other of [1e-6, 1e-10]) expect(important(base, input, 4, other)).not.toEqual(want)
  const { values } = await run(mergeMethods.arcee_fusion, { shape: [2, 4], base, inputs: [input] })
  expect(Array.from(values, (value, i) => value !== base[i])).toEqual(want)
})

test.each([0.9e-8, 1.1e-8])(
  'task arithmetic that is normalised divides by the sum of weights from 1e-8 on: %d',
  async (sum) => {
    const { values } = await run(mergeMethods.task_arithmetic, {
      shape: [1],
      base: [0],
      inputs: [[3]],
      params: { weight: [sum], normalize: true },
    })
    expect(error(values, [sum < 1e-8 ? 3 * sum : 3])).toBeLessThan(1e-9)
  },
)

test.each([0.9e-7, 1.1e-7])('dare scales what is left from an L1 norm of 1e-7 on: %d', async (norm) => {
  const given = { shape: [2], base: [0, 0], inputs: [[norm / 2, norm / 2]], random: fixedMasks([[1, 0]]) }
  const { values } = await run(mergeMethods.dare_linear, { ...given, params: { weight: 1, density: 0.5 } })
  // Half is left: below 1e-7 before or after it stays as it is.
  expect(error([values[0]!], [norm / 2])).toBeLessThan(1e-9)
  const { values: larger } = await run(mergeMethods.dare_linear, {
    ...given,
    inputs: [[norm, norm]],
    params: { weight: 1, density: 0.5 },
  })
  expect(error([larger[0]!], [norm < 1e-7 ? norm : 2 * norm])).toBeLessThan(1e-9)
})

test.each(['della', 'della_linear'] as const)(
  '%s keeps by 0.15 less and more than the density, unless epsilon says otherwise',
  async (method) => {
    for (const [place, chance] of [
      [0, 0.5 - 0.15],
      [2, 0.5 + 0.15],
    ] as const)
      for (const [shift, kept] of [
        [-1e-6, true],
        [1e-6, false],
      ] as const) {
        const word = Math.floor((chance + shift) * 2 ** 32)
        const given = {
          shape: [3],
          base: [0, 0, 0],
          inputs: [[1, 2, 3]],
          random: () => (_: number, out: Uint32Array) => void out.fill(word),
        }
        const { values } = await run(mergeMethods[method], {
          ...given,
          params: { weight: 1, density: 0.5, rescale: 'none', normalize: false },
        })
        expect(values[place] !== 0).toBe(kept)
      }
  },
)
