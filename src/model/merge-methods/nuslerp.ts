/**
 * Spherical interpolation by weights, of whole tensors, of their last axis (rows as stored) or – `nuslerp_row_wise` –
 * of their first, as mergekit names them; with a base, of the differences from it. Shoemake 1985; mergekit `nuslerp`.
 */
import {
  type Block,
  flagOf,
  type Kernel,
  type MergeMethod,
  numberOf,
  perModel,
  sharedFlag,
  type TensorTask,
} from './method.ts'
import { byRows } from './by-rows.ts'
import { combination, combinedAfter } from './combination.ts'
import { changeProducts, gram, products } from './gram.ts'
import { type Grouping, roundedNuslerp } from './rounded-nuslerp.ts'

export const nuslerp: MergeMethod = {
  name: 'nuslerp',
  reference: 'https://doi.org/10.1145/325334.325242',
  base: 'optional',
  inputs: [2, 2],
  parameters: { weight: perModel(), nuslerp_flatten: sharedFlag(true), nuslerp_row_wise: sharedFlag(false) },
  streaming: 'reduction',
  tolerance: 2e-6,
  deviations: [
    'lengths and products are summed in float64; in float32 their last digits depend on the processor, and where mergekit 0.1.4 rounds them to 16 bits a tensor may move by some units',
    'parallel vectors are mixed in a straight line in every type; in float16 0.1.4 divides by 0 and writes NaN',
  ],
  kernel(task) {
    const { perModel: values, shared: settings } = task
    const [own, other] = [numberOf(values[0], 'weight'), numberOf(values[1], 'weight')]
    const t = Math.abs(own + other) < 1e-6 ? 0.5 : other / (own + other)
    const whole = flagOf(settings, 'nuslerp_flatten') || task.shape.length < 2
    const columns = flagOf(settings, 'nuslerp_row_wise')
    if (task.compat === 'mergekit-0.1.4') return roundedNuslerp(task, t, groupsOf(task, whole, columns))
    if (whole) return wholeKernel(task, t)
    return columns ? columnKernel(task, t) : rowKernel(task, t)
  },
}

/** Coefficients of two vectors from their squares and their product. */
function weightsAt(t: number, squareA: number, squareB: number, product: number): [number, number] {
  const scale = Math.max(Math.sqrt(squareA), 1e-7) * Math.max(Math.sqrt(squareB), 1e-7)
  const angle = Math.acos(Math.min(1, Math.max(-1, product / scale)))
  const sine = Math.sin(angle)
  if (Math.abs(sine) < 1e-8) return [1 - t, t]
  return [Math.sin((1 - t) * angle) / sine, Math.sin(t * angle) / sine]
}

function groupsOf({ shape, count }: TensorTask, whole: boolean, columns: boolean): Grouping {
  if (whole) return { count: 1, of: () => 0 }
  const [width, step] = [Math.max(shape.at(-1) ?? 1, 1), count / Math.max(shape[0] ?? 1, 1)]
  return columns
    ? { count: step, of: (element) => element % step }
    : { count: count / width, of: (element) => Math.floor(element / width) }
}

function wholeKernel({ round }: TensorTask, t: number): Kernel {
  const products = gram(2)
  return combinedAfter(products, ({ dot }) => weightsAt(t, dot(0, 0), dot(1, 1), dot(0, 1)), round)
}

function rowKernel({ shape, round }: TensorTask, t: number): Kernel {
  return byRows(shape, (row, out) =>
    combination(row, weightsAt(t, dotOf(row, 0, 0), dotOf(row, 1, 1), dotOf(row, 0, 1)), round, out),
  )
}

/** Sums for every position of the axes after the first. */
function columnKernel({ shape, count, round }: TensorTask, t: number): Kernel {
  const width = count / Math.max(shape[0] ?? 1, 1)
  const sums = [new Float64Array(width), new Float64Array(width), new Float64Array(width)] as const
  let coefficients: readonly (readonly [number, number])[] | undefined
  return {
    grain: 1,
    passes: [
      ({ offset, length, base, inputs }) => {
        for (let i = 0; i < length; i++) {
          const column = (offset + i) % width
          const own = base?.[i] ?? 0
          const [a, b] = [inputs[0]![i]! - own, inputs[1]![i]! - own]
          sums[0][column]! += a * a
          sums[1][column]! += b * b
          sums[2][column]! += a * b
        }
      },
    ],
    output({ offset, length, base, inputs }, out) {
      coefficients ??= Array.from(sums[0], (square, column) => weightsAt(t, square, sums[1][column]!, sums[2][column]!))
      for (let i = 0; i < length; i++) {
        const own = base?.[i] ?? 0
        const [first, second] = coefficients[(offset + i) % width]!
        out[i] = round(own + round(first * (inputs[0]![i]! - own) + second * (inputs[1]![i]! - own)))
      }
    },
  }
}

function dotOf({ base, inputs, length }: Block, i: number, j: number): number {
  return base === undefined
    ? products(inputs[i]!, inputs[j]!, 0, length, 0)
    : changeProducts(inputs[i]!, inputs[j]!, base, 0, length, 0)
}
