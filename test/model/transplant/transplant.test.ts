import { describe, expect, test } from 'vitest'
import { nearestPoints } from '../../../src/model/transplant/nearest-points.ts'
import { neighbourWeights, type WeightScheme, weightSchemes } from '../../../src/model/transplant/interpolation.ts'
import { leastSquares } from '../../../src/model/transplant/least-squares.ts'
import { gaussians } from '../../../src/model/transplant/gaussian.ts'
import { orthogonalPursuit } from '../../../src/model/transplant/pursuit.ts'
import { positionBetween, rotated } from '../../../src/model/transplant/rotation.ts'
import { meanRow, type Rows, rowsOf } from '../../../src/model/transplant/rows.ts'
import { untrained } from '../../../src/model/transplant/well-trained.ts'
import type { Approximation, TableTask } from '../../../src/model/transplant/approximation.ts'
import { type ApproximationName, approximations } from '../../../src/model/transplant/table.ts'
import { pieceWeights, subwordMethods } from '../../../src/model/transplant/pieces.ts'
import { matchWords } from '../../../src/model/transplant/assign.ts'
import * as flags from '../../../src/cli/commands/transplant/flags.ts'
import { goldenOf } from '../../golden-of.ts'

interface Packed {
  shape: number[]
  base64: string
}

interface Golden {
  donor: Packed
  model: Packed
  targets: Packed
  omp: { k: number; points: number[][]; rows: Packed }[]
  interpolation: { cosine: boolean; scheme: WeightScheme; k: number; points: number[][]; weights: Packed }[]
  mp_rope: { k: number; heads: [number, number]; bases: [number, number]; rows: Packed }
  stb: { k: number; rows: Packed }
  magikarp: { embed: Packed; head: Packed; tokens: string[]; tied: number[]; untied: number[] }
}

/** mergekit 0.1.4 on torch 2.15.0: oracles/tokensurgeon.py. */
const golden = goldenOf<Golden>('model/transplant', 'tokensurgeon')

interface Table {
  rows: number
  width: number
  data: Float32Array
}

function unpacked({ shape: [rows = 0, width = 1], base64 }: Packed): Table {
  return { rows, width, data: new Float32Array(new Uint8Array(Buffer.from(base64, 'base64')).buffer) }
}

const [donor, model, targets] = [unpacked(golden.donor), unpacked(golden.model), unpacked(golden.targets)]

function rowsIn({ rows, width, data }: Table): Rows {
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
  return rowsOf({ name: 'table', dtype: 'F32', shape: [rows, width], byteLength: bytes.length }, (from, to) =>
    Promise.resolve(bytes.slice(4 * from, 4 * to)),
  )
}

/** All of `donor` shared with `model`, row by row; the targets are the donor's last rows. */
function ground(options: Partial<TableTask['options']> = {}, change: Partial<TableTask> = {}): TableTask {
  const all = {
    rows: donor.rows + targets.rows,
    width: donor.width,
    data: Float32Array.from([...donor.data, ...targets.data]),
  }
  return {
    name: 'embed',
    head: false,
    model: rowsIn(model),
    donor: () => rowsIn(all),
    shared: () => Promise.resolve({ donor, model }),
    pieces: () => Promise.resolve(Array.from({ length: targets.rows }, (_, i) => [i, i + 1, i + 3])),
    targets: Int32Array.from({ length: targets.rows }, (_, i) => donor.rows + i),
    rotary: () => ({ donor: { heads: 3, base: 1e4 }, model: { heads: 2, base: 5e5 } }),
    options: {
      k: 5,
      weightScheme: 'distance_proportional',
      cosineSimilarity: false,
      subwordMethod: 'mean',
      ...options,
    },
    normal: gaussians('0\0embed'),
    ...change,
  }
}

async function made(name: ApproximationName, own: TableTask = ground(), step = targets.rows): Promise<number[]> {
  const make = await approximations[name].prepare(own)
  const out: number[] = []
  for (let from = 0; from < own.targets.length; from += step)
    out.push(...(await make(from, Math.min(own.targets.length, from + step))))
  return out
}

/** Largest distance of rows, as a share of the row's length. */
function distance(ours: ArrayLike<number>, theirs: ArrayLike<number>, width: number): number {
  let worst = 0
  for (let row = 0; row * width < theirs.length; row++) {
    let [far, long] = [0, 0]
    for (let i = row * width; i < (row + 1) * width; i++) {
      far += (ours[i]! - theirs[i]!) ** 2
      long += theirs[i]! ** 2
    }
    worst = Math.max(worst, Math.sqrt(far / (long || 1)))
  }
  return worst
}

describe('mergekit’s numbers', () => {
  test.each(golden.omp)('orthogonal matching pursuit with k = $k', async ({ k, points, rows }) => {
    expect((await orthogonalPursuit(targets, donor, k)).map((one) => [...one.points])).toEqual(points)
    // float32 there; solving for twelve dimensions from twelve points multiplies its rounding by the condition of the
    // points, below 10³ here
    expect(distance(await made('omp', ground({ k })), unpacked(rows).data, model.width)).toBeLessThan(
      k === 12 ? 1e-4 : 1e-5,
    )
  })

  test.each(golden.interpolation)(
    '$scheme over $k neighbours, cosine $cosine',
    async ({ cosine, scheme, k, points, weights }) => {
      const found = await nearestPoints(targets, donor, k, cosine)
      expect(found.map((one) => [...one.points])).toEqual(points)
      const own = found.flatMap((neighbours, i) => {
        const vectors = Array.from(neighbours.points, (point) =>
          Float64Array.from(donor.data.subarray(point * donor.width, (point + 1) * donor.width)),
        )
        return [...neighbourWeights(targets.data.subarray(i * 12, (i + 1) * 12), vectors, neighbours, scheme, cosine)]
      })
      // float32 there; the normal equations of barycentric square the condition of the points
      expect(distance(own, unpacked(weights).data, k)).toBeLessThan(scheme === 'barycentric' ? 2e-3 : 2e-5)
    },
  )

  test('matching pursuit with rotary positions', async () => {
    // float32 there
    expect(
      distance(await made('mp_rope', ground({ k: golden.mp_rope.k })), unpacked(golden.mp_rope.rows).data, model.width),
    ).toBeLessThan(1e-4)
  })

  test('a sparse basis', async () => {
    const all = ground({ k: golden.stb.k })
    // the golden rows are centred by the shared rows alone
    const own = await made('stb', {
      ...all,
      donor: () => ({ ...all.donor(), count: donor.rows, blocks: () => rowsIn(donor).blocks() }),
    })
    // float32 there, through two bases of twelve vectors
    expect(distance(own, unpacked(golden.stb.rows).data, model.width)).toBeLessThan(1e-3)
  })

  test('tokens that look untrained', async () => {
    const { embed, head, tokens, tied, untied } = golden.magikarp
    const named = (found: ReadonlySet<number>): number[] =>
      [...found].filter((id) => id < tokens.length).sort((a, b) => a - b)
    expect(named(await untrained(tokens, rowsIn(unpacked(embed)), undefined))).toEqual(tied)
    expect(named(await untrained(tokens, rowsIn(unpacked(embed)), rowsIn(unpacked(head))))).toEqual(untied)
    expect(untied.length).toBeGreaterThan(tied.length)
  })
})

describe.each(Object.values<Approximation>(approximations))('$name', (method) => {
  const name = method.name as ApproximationName

  test('is what the flag calls it', () => {
    expect(approximations[name]).toBe(method)
    expect(flags.approximationMethod.choices).toContain(name)
  })

  test('gives the same rows whatever the batches', async () => {
    const all = await made(name)
    expect(all).toHaveLength(targets.rows * model.width)
    expect(all.every(Number.isFinite)).toBe(true)
    for (const step of [1, 4]) expect(await made(name, ground(), step)).toEqual(all)
  })

  test.runIf(method.random)('draws what the run’s seed says', async () => {
    const other = ground({}, { normal: gaussians('1\0embed') })
    expect(await made(name, other)).not.toEqual(await made(name))
  })

  test.runIf(method.looksAt === 'shared')('stays within the points that there are', async () => {
    const few = (table: Table): Table => ({ rows: 3, width: table.width, data: table.data.slice(0, 3 * table.width) })
    const own = await made(
      name,
      ground({ k: 64 }, { shared: () => Promise.resolve({ donor: few(donor), model: few(model) }) }),
    )
    expect(own.every(Number.isFinite)).toBe(true)
  })
})

describe('laws', () => {
  test('a token that lies where a shared one lies gets its row', async () => {
    // of all points a longest one is most like itself
    const lengths = Array.from({ length: donor.rows }, (_, i) => Math.hypot(...rowAt(donor, i)))
    const longest = lengths.indexOf(Math.max(...lengths))
    const own = ground({ k: 3 }, { targets: Int32Array.of(longest) })
    for (const name of ['omp', 'mp_rope'] as const)
      expect(distance(await made(name, own), rowAt(model, longest), model.width)).toBeLessThan(1e-6)
    const near = ground({ k: 3, weightScheme: 'least_squares' }, { targets: Int32Array.from([4, 9]) })
    expect(
      distance(await made('common_interpolation', near), [...rowAt(model, 4), ...rowAt(model, 9)], model.width),
    ).toBeLessThan(1e-6)
  })

  test('maps found from a rotation and a shift give them back', async () => {
    // the model's space is the donor's, its dimensions reversed, and shifted
    const turn = ({ rows, width, data }: Table): Table => ({
      rows,
      width,
      data: data.map((_, i) => data[i - (i % width) + width - 1 - (i % width)]! + 0.5),
    })
    const turned = turn(donor)
    const own = ground({ k: 6 }, { model: rowsIn(turned), shared: () => Promise.resolve({ donor, model: turned }) })
    // values are float32, axes found from 40 points
    expect(distance(await made('landmark_pca', own), turn(targets).data, 12)).toBeLessThan(1e-5)
  })

  test('rotary positions are found again', () => {
    const row = rowAt(donor, 2)
    const turn = { heads: 3, base: 1e4 }
    expect(positionBetween(row, rotated(row, 0.3, turn), turn, 1)).toBeCloseTo(0.3, 12)
    expect(
      positionBetween(
        row,
        rotated(row, 0.3, turn).map((value) => -value),
        turn,
        -1,
      ),
    ).toBeCloseTo(0.3, 12)
  })

  test('least squares leave what is orthogonal to the columns, by the shortest weights', () => {
    const columns = [0, 1, 2, 3].map((i) => Float64Array.from(rowAt(donor, i)))
    const target = Float64Array.from(rowAt(targets, 0))
    const weights = leastSquares(columns, target)
    const rest = target.map((value, d) => value - columns.reduce((sum, column, j) => sum + weights[j]! * column[d]!, 0))
    for (const column of columns) expect(column.reduce((sum, value, d) => sum + value * rest[d]!, 0)).toBeCloseTo(0, 12)
    // a column twice: its weight is shared
    const twice = leastSquares([...columns, columns[1]!], target)
    expect(twice[1]! + twice[4]!).toBeCloseTo(weights[1]!, 12)
    expect(twice[1]).toBeCloseTo(twice[4]!, 12)
    expect([
      ...leastSquares(
        columns.map((column) => column.fill(0)),
        target,
      ),
    ]).toEqual([0, 0, 0, 0])
  })

  test('drawn rows have the mean and the covariance of the model’s', async () => {
    // three dimensions, one of them a sum of the others: a covariance without an inverse
    const data = Float32Array.from({ length: 600 }, (_, i) => (i % 3 === 2 ? rawAt(i - 1) + rawAt(i - 2) : rawAt(i)))
    const table = rowsIn({ rows: 200, width: 3, data })
    const rows = await made('john_hewitt', ground({}, { model: table, targets: new Int32Array(4000) }), 512)
    const mean = await meanRow(table)
    const moment = (values: ArrayLike<number>, i: number, j: number): number => {
      let sum = 0
      for (let at = 0; at < values.length; at += 3) sum += (values[at + i]! - mean[i]!) * (values[at + j]! - mean[j]!)
      return sum / (values.length / 3)
    }
    for (const [i, j] of [
      [0, 0],
      [0, 1],
      [2, 2],
      [1, 2],
    ] as const) {
      // 4,000 draws of variance at most 4: standard error below 4 · √(2 / 4000) = 0.09
      expect(Math.abs(moment(rows, i, j) - moment(data, i, j))).toBeLessThan(0.3)
    }
    expect(rows.every((value, i) => i % 3 !== 2 || Math.abs(value - rows[i - 1]! - rows[i - 2]!) < 1e-5)).toBe(true)
  })

  test('normal deviates are normal, and the same from any place', () => {
    const draw = gaussians('seed')
    const all = new Float64Array(20_000)
    draw(0, all)
    const mean = all.reduce((sum, value) => sum + value, 0) / all.length
    const variance = all.reduce((sum, value) => sum + value * value, 0) / all.length
    // five standard errors: 5 / √20000, and 5 · √(2 / 20000)
    expect(Math.abs(mean)).toBeLessThan(0.036)
    expect(Math.abs(variance - 1)).toBeLessThan(0.05)
    const some = new Float64Array(7)
    draw(1234, some)
    expect([...some]).toEqual([...all.subarray(1234, 1241)])
  })

  test('pieces weigh as mergekit weighs them', () => {
    expect([...pieceWeights(3, 'weighted_mean', false)]).toEqual([3 / 6, 2 / 6, 1 / 6])
    expect([...pieceWeights(3, 'weighted_mean', true)]).toEqual([1 / 6, 2 / 6, 3 / 6])
    expect([...pieceWeights(3, 'first_last', false)]).toEqual([0, 0, 1])
    expect([...pieceWeights(3, 'first_last', true)]).toEqual([1, 0, 0])
    expect([...pieceWeights(0, 'mean', true)]).toEqual([])
  })

  test('flags offer the words that there are', () => {
    expect(flags.approximationMethod.choices).toEqual(Object.keys(approximations))
    expect(flags.weightScheme.choices).toEqual(weightSchemes)
    expect(flags.subwordMethod.choices).toEqual(subwordMethods)
    expect(flags.prefixMatch.choices).toEqual(matchWords)
    expect(flags.byteMatch.choices).toEqual(matchWords)
  })
})

function rowAt({ width, data }: Table, row: number): Float32Array {
  return data.subarray(row * width, (row + 1) * width)
}

/** Some number for an index. */
function rawAt(i: number): number {
  return Math.sin(i * 12.9898) * 1.5
}
