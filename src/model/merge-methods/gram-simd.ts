/**
 * Products of float32 vectors summed in float64, four sums side by side in WebAssembly. Which of the four an element
 * goes to follows from its place in the tensor, so that blocks of any size give the same. All pairs are multiplied as
 * their values are read; a kernel is made once for each number of inputs.
 */
import type { Floats } from '#core'
import { code, type Code, f64x2, func, i32, kernel, local, loop, v128 } from '#platform/wasm'
import type { Block } from './method.ts'
import { chunkLength } from './fits-vectors.ts'

/** Sums side by side. */
export const ways = 4
/** Vectors of two that hold them. */
const halves = [0, 1] as const

// oxlint-disable-next-line explicit-function-return-type -- what a kernel is follows from its layout
function workspaceFor(models: number, hasBase: boolean) {
  const pairs = Array.from({ length: models }, (_, i) =>
    Array.from({ length: models - i }, (__, k) => [i, i + k] as const),
  ).flat()
  return kernel(
    {
      base: ['f32', chunkLength],
      inputs: ['f32', models * chunkLength],
      sums: ['f64', ways * pairs.length],
    },
    ({ base, inputs, sums }) => ({
      /** sums += products of the inputs, or of their differences from the base */
      multiply: func(['i32', 'i32'], (declare, [at, end]) => {
        const totals = pairs.map(() => halves.map(() => declare()))
        const values = Array.from({ length: models }, () => declare())
        const own = declare()
        const address = (pair: number, half: number): number => sums + 8 * ways * pair + 16 * half
        /** Two values of an array, as float64. */
        const pair = (array: number, half: number): Code =>
          f64x2.promote_low_f32x4(v128.load64_zero(at, array + 8 * half))
        const read = (k: number, half: number): Code => {
          const value = pair(inputs + 4 * chunkLength * k, half)
          return hasBase ? f64x2.sub(value, own) : value
        }
        const step = halves.flatMap((half) => [
          ...(hasBase ? [local.set(own, pair(base, half))] : []),
          ...values.map((value, k) => local.set(value, read(k, half))),
          ...pairs.map(([i, j], p) =>
            local.set(totals[p]![half]!, f64x2.add(totals[p]![half]!, f64x2.mul(values[i]!, values[j]!))),
          ),
        ])
        const everyTotal = totals.flatMap((two, p) => two.map((total, half) => [total, address(p, half)] as const))
        return code(
          ...everyTotal.map(([total, place]) => local.set(total, v128.load(i32.const(0), place))),
          loop(at, 16, end, ...step),
          ...everyTotal.map(([total, place]) => v128.store(i32.const(0), total, place)),
        )
      }),
    }),
  )
}

const workspaces = new Map<string, ReturnType<typeof workspaceFor>>()

/**
 * Elements from … of a block that `fitsVectors`; the first of them at a multiple of `ways` of the tensor. `totals`
 * holds the sums of each pair i ≤ j, one after the other.
 */
export function addProducts({ base, inputs, length }: Block, from: number, totals: Float64Array): void {
  const key = `${inputs.length} ${base !== undefined}`
  const workspace = workspaces.get(key) ?? workspaceFor(inputs.length, base !== undefined)
  workspaces.set(key, workspace)
  const work = workspace()
  work.sums.set(totals)
  for (let start = from; start < length; start += chunkLength) {
    const size = Math.min(chunkLength, length - start)
    const padded = Math.ceil(size / ways) * ways
    const put = (into: Float32Array, values: Floats, at: number): void => {
      into.set(values.subarray(start, start + size), at)
      into.fill(0, at + size, at + padded)
    }
    if (base !== undefined) put(work.base, base, 0)
    inputs.forEach((input, k) => put(work.inputs, input, k * chunkLength))
    work.multiply(0, 4 * padded)
  }
  totals.set(work.sums)
}
