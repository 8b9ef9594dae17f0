/**
 * The loops of `sce-loops.ts` for float32 tensors, two elements at a time in WebAssembly: the same steps, the same
 * bits. One workspace for each number of inputs.
 */
import type { Floats } from '#core'
import {
  code,
  type Code,
  f32x4,
  f64x2,
  func,
  i32,
  i32x4,
  i64x2,
  kernel,
  local,
  type Local,
  loop,
  v128,
} from '#platform/wasm'
import { chunkLength } from './fits-vectors.ts'
import { type SceChunk, smallestDivisor, unselected } from './sce-loops.ts'

const zero = i32x4.all(0)
const one = f64x2.all(1)
const [magnitude, signs] = [i32x4.const(0x7fffffff, 0x7fffffff, 0, 0), i32x4.const(0, 0x80000000, 0, 0x80000000)]
const square = (value: Local): Code => f64x2.mul(value, value)
const increase = (sum: Local, by: Code): Code => local.set(sum, f64x2.add(sum, by))

/** Bytes at which the arrays begin. */
type Places = Readonly<Record<'base' | 'out' | 'keys' | 'inputs' | 'numbers' | 'counts', number>>

const pair = (at: Local, array: number): Code => f64x2.promote_low_f32x4(v128.load64_zero(at, array))
const inputAt = ({ inputs }: Places, at: Local, k: number): Code => pair(at, inputs + 4 * chunkLength * k)
const storePair = (at: Local, values: Code, array: number): Code => v128.store64_lane(at, values, 0, array)
const upTo = (count: number): number[] => Array.from({ length: count }, (_, k) => k)

interface Changing {
  readonly at: Local
  readonly key: Local
  readonly base: Local
  readonly mask: Local
  readonly changes: readonly Local[]
}

/** Two changes of each input, multiplied by 1 where the keys are larger than the given one, and by 0 elsewhere. */
const loadChanges = (places: Places, { at, key, base, mask, changes }: Changing): Code =>
  code(
    local.set(base, pair(at, places.base)),
    local.set(
      mask,
      v128.and(i64x2.extend_low_i32x4_s(i32x4.gt_s(v128.load64_zero(at, places.keys), i32x4.splat(key))), one),
    ),
    ...changes.map((change, k) => local.set(change, f64x2.mul(f64x2.sub(inputAt(places, at, k), base), mask))),
  )

// Functions count bytes of float32 values, from and to; then comes a key.

/**
 * Keys of the variances. Those of two inputs are the squares of half their difference, to the last bit of the
 * general form.
 */
const measure = (models: number, places: Places) =>
  func(['i32', 'i32', 'i32'], (declare, [at, end]) => {
    const [mean, sum, first] = [declare(), declare(), declare()]
    const distances = upTo(models - 1).map(() => declare())
    const halfDifference = f64x2.mul(f64x2.sub(inputAt(places, at, 1), inputAt(places, at, 0)), f64x2.all(0.5))
    const variance =
      models === 2
        ? code(local.set(mean, halfDifference), square(mean))
        : code(
            local.set(first, inputAt(places, at, 0)),
            local.set(mean, zero),
            ...distances.map((distance, k) =>
              code(
                local.set(distance, f64x2.sub(inputAt(places, at, k + 1), first)),
                increase(mean, f64x2.div(distance, f64x2.all(models))),
              ),
            ),
            local.set(sum, square(mean)),
            ...distances.map((distance) =>
              code(local.set(distance, f64x2.sub(distance, mean)), increase(sum, square(distance))),
            ),
            f64x2.div(sum, f64x2.all(models)),
          )
    return loop(at, 8, end, storePair(at, v128.and(f32x4.demote_f64x2_zero(variance), magnitude), places.keys))
  })

/** Four at a time: how many have the key. */
const count = (places: Places) =>
  func(['i32', 'i32', 'i32'], (declare, [at, end, key]) => {
    const found = declare()
    const equal = i32x4.eq(v128.load(at, places.keys), i32x4.splat(key))
    return code(
      loop(at, 16, end, local.set(found, i32x4.sub(found, equal))),
      v128.store(i32.const(0), found, places.counts),
    )
  })

/** Two inputs share a vector of sums, to which the elements are added one after the other. */
const squares = (models: number, places: Places) =>
  func(['i32', 'i32', 'i32'], (declare, [at, end, key]) => {
    const [base, mask] = [declare(), declare()]
    const changes = upTo(models).map(() => declare())
    const sums = upTo(Math.ceil(models / 2)).map(() => declare())
    const squareOf = (k: number): Code => (k < models ? square(changes[k]!) : zero)
    const ofElement = (first: number): Code[] =>
      sums.map((sum, k) =>
        increase(sum, i32x4.shuffle(squareOf(2 * k), squareOf(2 * k + 1), first, first + 1, first + 4, first + 5)),
      )
    return code(
      ...sums.map((sum, k) => local.set(sum, v128.load(i32.const(0), places.numbers + 16 * k))),
      loop(at, 8, end, loadChanges(places, { at, key, base, mask, changes }), ...ofElement(0), ...ofElement(2)),
      ...sums.map((sum, k) => v128.store(i32.const(0), sum, places.numbers + 16 * k)),
    )
  })

const output = (models: number, places: Places) =>
  func(['i32', 'i32', 'i32'], (declare, [at, end, key]) => {
    const [base, mask] = [declare(), declare()]
    const [changes, shares] = [upTo(models).map(() => declare()), upTo(models).map(() => declare())]
    const [total, sum, divisor, weight] = [declare(), declare(), declare(), declare()]
    /** Whether the change is not 0 and has the sign of the total. */
    const agrees = (change: Local): Code => v128.and(f64x2.gt(v128.xor(change, total), zero), one)
    const mean = f64x2.div(sum, f64x2.pmax(divisor, f64x2.all(smallestDivisor)))
    return code(
      ...shares.map((share, k) => local.set(share, v128.load(i32.const(0), places.numbers + 16 * k))),
      loop(
        at,
        8,
        end,
        loadChanges(places, { at, key, base, mask, changes }),
        ...changes.map((change, k) => (k === 0 ? local.set(total, change) : increase(total, change))),
        local.set(total, v128.and(total, signs)),
        local.set(sum, zero),
        local.set(divisor, zero),
        ...changes.map((change, k) =>
          code(
            local.set(weight, f64x2.mul(agrees(change), shares[k]!)),
            increase(sum, f64x2.mul(change, weight)),
            increase(divisor, weight),
          ),
        ),
        storePair(at, f32x4.demote_f64x2_zero(f64x2.add(base, mean)), places.out),
      ),
    )
  })

// oxlint-disable-next-line explicit-function-return-type -- what a kernel is follows from its layout
function workspaceFor(models: number) {
  return kernel(
    {
      base: ['f32', chunkLength],
      out: ['f32', chunkLength],
      keys: ['u32', chunkLength],
      inputs: ['f32', models * chunkLength],
      numbers: ['f64', 2 * models],
      counts: ['i32', 4],
    },
    (places) => {
      return {
        measure: measure(models, places),
        count: count(places),
        squares: squares(models, places),
        output: output(models, places),
      }
    },
  )
}

const workspaces = new Map<number, ReturnType<typeof workspaceFor>>()

/** Every key is larger. */
const lowest = -(2 ** 31)

/** The workspace of a thread for tensors of `models` inputs. */
export function vectorSce(models: number): SceChunk {
  const workspace = workspaces.get(models) ?? workspaceFor(models)
  workspaces.set(models, workspace)
  const work = workspace()
  const { keys, numbers } = work
  let [start, length, blockBase]: [number, number, Floats] = [0, 0, work.base]
  const put = (into: Float32Array, values: Floats, k = 0): void => {
    const at = k * chunkLength
    into.set(values.subarray(start, start + length), at)
    // an odd one has no neighbour
    into.fill(0, at + length, at + length + (length % 2))
  }
  const bytes = (): number => 4 * (length + (length % 2))
  return {
    // the base is taken when it is asked for: variances do without
    begin(block, from, size) {
      ;[start, length, blockBase] = [from, size, block.base!]
      block.inputs.forEach((values, k) => put(work.inputs, values, k))
    },
    keys,
    measure() {
      work.measure(0, bytes(), 0)
      keys.fill(unselected, length, length + 3)
    },
    count(key) {
      work.count(0, 4 * Math.ceil(length / 4) * 4, key)
      return work.counts.reduce((sum, count) => sum + count, 0)
    },
    addSquares(limit, sums) {
      put(work.base, blockBase)
      numbers.set(sums)
      work.squares(0, bytes(), limit ?? lowest)
      sums.set(numbers.subarray(0, models))
    },
    output(limit, shares, into) {
      put(work.base, blockBase)
      shares.forEach((share, k) => numbers.fill(share, 2 * k, 2 * k + 2))
      work.output(0, bytes(), limit ?? lowest)
      into.set(work.out.subarray(0, length), start)
    },
  }
}
