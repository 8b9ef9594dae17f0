/**
 * Eigenvectors of a symmetric tridiagonal matrix by halves: Cuppen 1981, with the vectors of Gu & Eisenstat 1995.
 * Nearly all its work is in products, three quarters of it in the last.
 */
import type { Matrix64 } from '#core'
import { product, rowOf, stacked } from './dense64.ts'
import { jacobiEigen } from './jacobi-eigen.ts'
import { type Root, secularRoot } from './secular.ts'

interface Part {
  /** Descending. */
  readonly values: Float64Array
  /** One per row, of the first values. */
  readonly vectors: Matrix64
}

const leaf = 24

/**
 * All values of the matrix with this diagonal and off[i] between i and i − 1, and the vectors of the `count` greatest,
 * or of more.
 */
export async function tridiagonalEigen(
  diagonal: Float64Array,
  off: Float64Array,
  count = diagonal.length,
): Promise<Part> {
  const largest = [diagonal, off].reduce(
    (max, entries) => entries.reduce((most, entry) => Math.max(most, Math.abs(entry)), max),
    0,
  )
  // Entries are judged negligible relative to parts of unit vectors, so they must be about 1 (dstedc of LAPACK scales
  // too); a power of two changes no digit.
  const unit = largest === 0 ? 1 : 2 ** Math.floor(Math.log2(largest))
  const scaled = (entries: Float64Array): Float64Array => entries.map((entry) => entry / unit)
  const { values, vectors } = await byHalves(scaled(diagonal), scaled(off), count)
  return { values: values.map((value) => value * unit), vectors }
}

async function byHalves(diagonal: Float64Array, off: Float64Array, count = diagonal.length): Promise<Part> {
  const n = diagonal.length
  if (n <= leaf) return jacobiEigen(dense(diagonal, off))
  const half = n >> 1
  const joint = off[half]!
  const [upper, lower] = [diagonal.slice(0, half), diagonal.slice(half)]
  upper[half - 1]! -= Math.abs(joint)
  lower[0]! -= Math.abs(joint)
  return merged(await byHalves(upper, off.slice(0, half)), await byHalves(lower, off.slice(half)), joint, count)
}

function dense(diagonal: Float64Array, off: Float64Array): Matrix64 {
  const n = diagonal.length
  const data = new Float64Array(n * n)
  for (let i = 0; i < n; i++) {
    data[i * n + i] = diagonal[i]!
    if (i > 0) data[i * n + i - 1] = data[(i - 1) * n + i] = off[i]!
  }
  return { rows: n, width: n, data }
}

/**
 * One eigenvector of a half: its row in all n coordinates, where it is not zero, its eigenvalue and its part in the
 * joint.
 */
interface Mode {
  value: number
  z: number
  readonly row: Float64Array
  upper: boolean
  lower: boolean
}

async function merged(first: Part, second: Part, joint: number, count: number): Promise<Part> {
  const [n1, n2] = [first.values.length, second.values.length]
  const n = n1 + n2
  const modes: Mode[] = []
  for (let i = 0; i < n1; i++) {
    const row = new Float64Array(n)
    row.set(rowOf(first.vectors, i))
    modes.push({ value: first.values[i]!, z: row[n1 - 1]! / Math.SQRT2, row, upper: true, lower: false })
  }
  for (let i = 0; i < n2; i++) {
    const row = new Float64Array(n)
    row.set(rowOf(second.vectors, i), n1)
    modes.push({
      value: second.values[i]!,
      z: ((joint < 0 ? -1 : 1) * row[n1]!) / Math.SQRT2,
      row,
      upper: false,
      lower: true,
    })
  }
  modes.sort((a, b) => a.value - b.value)
  const rho = 2 * Math.abs(joint)
  const { kept, settled } = deflated(modes, rho)
  const d = Float64Array.from(kept, ({ value }) => value)
  const z = Float64Array.from(kept, (mode) => mode.z)
  const roots = kept.map((_, i) => secularRoot(d, z, rho, i))
  const found: { value: number; row?: Float64Array; root?: Root }[] = [
    ...settled.map(({ value, row }) => ({ value, row })),
    ...roots.map((root) => ({ value: d[root.pole]! + root.distance, root })),
  ].sort((a, b) => b.value - a.value)
  const wanted = found.slice(0, count)
  const mixed = await secularVectors(kept, { d, z, roots, wanted: wanted.flatMap(({ root }) => root ?? []) }, n1, n)
  let next = 0
  const rows = wanted.map(({ row }) => row ?? rowOf(mixed, next++))
  return { values: Float64Array.from(found, ({ value }) => value), vectors: stacked(rows, n) }
}

/**
 * Modes that the joint does not move, directly or after turning two with the same value against each other, are done.
 */
function deflated(modes: readonly Mode[], rho: number): { kept: Mode[]; settled: Mode[] } {
  const largest = modes.reduce((max, { value, z }) => Math.max(max, Math.abs(value), Math.abs(z)), 0)
  const tolerance = 8 * Number.EPSILON * largest
  const [kept, settled]: [Mode[], Mode[]] = [[], []]
  for (const mode of modes) {
    if (rho * Math.abs(mode.z) <= tolerance) {
      settled.push(mode)
      continue
    }
    const before = kept.at(-1)
    if (before !== undefined) {
      const length = Math.hypot(mode.z, before.z)
      const [c, s] = [mode.z / length, -before.z / length]
      if (Math.abs((mode.value - before.value) * c * s) <= tolerance) {
        turn(before, mode, c, s)
        mode.z = length
        settled.push(before)
        kept.pop()
      }
    }
    kept.push(mode)
  }
  return { kept, settled }
}

function turn(before: Mode, mode: Mode, c: number, s: number): void {
  const [x, y] = [before.row, mode.row]
  for (let k = 0; k < x.length; k++) {
    const [a, b] = [x[k]!, y[k]!]
    x[k] = c * a + s * b
    y[k] = c * b - s * a
  }
  const [a, b] = [before.value, mode.value]
  before.value = a * c * c + b * s * s
  mode.value = a * s * s + b * c * c
  before.upper = mode.upper = before.upper || mode.upper
  before.lower = mode.lower = before.lower || mode.lower
}

interface Secular {
  /** Values of the modes, ascending, and their parts in the joint. */
  readonly d: Float64Array
  readonly z: Float64Array
  readonly roots: readonly Root[]
  /** Those whose vectors are asked for. */
  readonly wanted: readonly Root[]
}

/** Rows [wanted × n]. */
async function secularVectors(
  kept: readonly Mode[],
  { d, z, roots, wanted }: Secular,
  n1: number,
  n: number,
): Promise<Matrix64> {
  const m = kept.length
  const away = (j: number, { pole, distance }: Root): number => d[j]! - d[pole]! - distance
  // The z for which these roots are exact: vectors made with it are orthogonal to working precision.
  const exact = new Float64Array(m)
  for (let j = 0; j < m; j++) {
    let square = -away(j, roots[j]!)
    for (let i = 0; i < m; i++) if (i !== j) square *= away(j, roots[i]!) / (d[j]! - d[i]!)
    exact[j] = Math.sign(z[j]!) * Math.sqrt(Math.abs(square))
  }
  const mixing = { rows: wanted.length, width: m, data: new Float64Array(wanted.length * m) }
  for (const [i, root] of wanted.entries()) {
    const row = rowOf(mixing, i)
    let square = 0
    for (let j = 0; j < m; j++) {
      row[j] = exact[j]! / away(j, root)
      square += row[j]! * row[j]!
    }
    const length = Math.sqrt(square)
    for (let j = 0; j < m; j++) row[j]! /= length
  }
  const vectors = { rows: wanted.length, width: n, data: new Float64Array(wanted.length * n) }
  await mixInto(vectors, mixing, kept, { takesPart: (mode) => mode.upper, from: 0, to: n1 })
  await mixInto(vectors, mixing, kept, { takesPart: (mode) => mode.lower, from: n1, to: n })
  return vectors
}

/** Coordinates from … to − 1 of the new vectors: only modes that are not zero there take part. */
async function mixInto(
  out: Matrix64,
  mixing: Matrix64,
  kept: readonly Mode[],
  { takesPart, from, to }: { takesPart: (mode: Mode) => boolean; from: number; to: number },
): Promise<void> {
  const used = kept.flatMap((mode, j) => (takesPart(mode) ? [j] : []))
  if (used.length === 0 || mixing.rows === 0) return
  const weights = { rows: mixing.rows, width: used.length, data: new Float64Array(mixing.rows * used.length) }
  for (let i = 0; i < mixing.rows; i++)
    used.forEach((j, at) => (weights.data[i * used.length + at] = mixing.data[i * mixing.width + j]!))
  const rows = stacked(
    used.map((j) => kept[j]!.row.subarray(from, to)),
    to - from,
  )
  const part = await product(weights, rows)
  for (let i = 0; i < mixing.rows; i++) out.data.set(rowOf(part, i), i * out.width + from)
}
