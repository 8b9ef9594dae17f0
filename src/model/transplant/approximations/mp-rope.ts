/**
 * Matching pursuit over shared tokens, each turned by the rotary position that brings it nearest to the residual;
 * finally the weights of all of them together by least squares. mergekit, `tokensurgeon/omp.py`.
 */
import type { Matrix } from '#core'
import { timesTransposed } from '#platform/linalg'
import type { Approximation } from '../approximation.ts'
import { leastSquares } from '../least-squares.ts'
import { mostAlike } from '../pursuit.ts'
import { positionBetween, rotated, type Rotary } from '../rotation.ts'

/** Squared norms are at least this. */
const smallest = 1e-8
/** Bytes of inner products held at once. */
const room = 2 ** 28

export const mpRope: Approximation = {
  name: 'mp_rope',
  reference: 'https://github.com/arcee-ai/mergekit',
  summary: 'matching pursuit over shared tokens turned by rotary positions',
  looksAt: 'shared',
  random: false,
  async prepare({ donor, model, shared, targets, rotary, options: { k } }) {
    const points = await shared()
    const turn = rotary()
    const most = Math.min(k, points.donor.rows)
    const step = Math.max(1, Math.floor(room / (4 * points.donor.rows)))
    return async (from, to) => {
      const out = new Float64Array((to - from) * model.width)
      for (let at = from; at < to; at += step) {
        const rows = await donor().take(targets.subarray(at, Math.min(to, at + step)))
        const found = await turnedPursuit(rows, points.donor, most, turn.donor)
        found.forEach((taken, i) => {
          const row = out.subarray((at - from + i) * model.width, (at - from + i + 1) * model.width)
          addTurned(
            row,
            taken,
            weightsOf(rows.data.subarray(i * rows.width, (i + 1) * rows.width), taken, points.donor, turn.donor),
            points.model,
            turn.model,
          )
        })
      }
      return out
    }
  },
}

interface Turned {
  readonly points: number[]
  readonly positions: number[]
}

async function turnedPursuit(targets: Matrix, points: Matrix, most: number, rotary: Rotary): Promise<Turned[]> {
  const { rows, width } = targets
  const found = Array.from({ length: rows }, (): Turned => ({ points: [], positions: [] }))
  const left = Float64Array.from(targets.data)
  for (let taken = 0; taken < most; taken++) {
    const alike = await timesTransposed({ rows, width, data: Float32Array.from(left) }, points)
    found.forEach((own, i) => {
      const point = mostAlike(alike.subarray(i * points.rows, (i + 1) * points.rows), own.points)
      const values = points.data.subarray(point * width, (point + 1) * width)
      const rest = left.subarray(i * width, (i + 1) * width)
      const [towards, away] = [positionBetween(values, rest, rotary, 1), positionBetween(values, rest, rotary, -1)]
      const position = Math.abs(towards) < Math.abs(away) ? towards : away
      const turned = rotated(values, position, rotary)
      let [dot, square] = [0, 0]
      for (let d = 0; d < width; d++) {
        dot += rest[d]! * turned[d]!
        square += turned[d]! * turned[d]!
      }
      const weight = dot / Math.max(smallest, square)
      for (let d = 0; d < width; d++) rest[d] = rest[d]! - weight * turned[d]!
      own.points.push(point)
      own.positions.push(position)
    })
  }
  return found
}

function weightsOf(
  target: Float32Array,
  { points, positions }: Turned,
  { width, data }: Matrix,
  rotary: Rotary,
): Float64Array {
  const columns = points.map((point, i) =>
    rotated(data.subarray(point * width, (point + 1) * width), positions[i]!, rotary),
  )
  return leastSquares(columns, Float64Array.from(target))
}

function addTurned(
  row: Float64Array,
  { points, positions }: Turned,
  weights: Float64Array,
  { width, data }: Matrix,
  rotary: Rotary,
): void {
  points.forEach((point, i) => {
    const turned = rotated(data.subarray(point * width, (point + 1) * width), positions[i]!, rotary)
    for (let d = 0; d < width; d++) row[d] = row[d]! + weights[i]! * turned[d]!
  })
}
