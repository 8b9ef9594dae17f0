import { plainDelta } from '../../../src/model/merge-methods/delta-loops.ts'
import { vectorDelta } from '../../../src/model/merge-methods/delta-simd.ts'
import type { DeltaChunk } from '../../../src/model/merge-methods/delta-chunk.ts'
import { type Draw, sameBits } from '../../platform/wasm/same-bits.ts'

const models = 3
const [weights, scales] = [
  [0.6, -0.4, 0.25],
  [1, 1.7, 0.3],
]

/** One step on both, from the changes of all inputs on. */
function both(
  draw: Draw,
  step: (work: DeltaChunk, size: number, out: Float32Array) => Float64Array | Uint32Array | undefined,
) {
  const { size, floats } = draw
  const block = {
    offset: 0,
    length: size,
    base: floats('base'),
    inputs: Array.from({ length: models }, (_, k) => floats(`${k}`)),
  }
  const [kernel, loop] = [vectorDelta(), plainDelta(models, size)].map((work) => {
    work.begin(block, 0, size)
    const changes = block.inputs.map((_, k) => work.changes(k))
    const into = new Float32Array(size)
    const given = step(work, size, into)
    return [into, given?.slice(0, size) ?? [], ...changes.map((values) => values.slice(0, size))]
  })
  return { kernel: kernel!, loop: loop! }
}

sameBits(
  'model/merge-methods/delta-simd.ts',
  { lanes: 4, chunk: 2 ** 11, most: 2 ** 15 },
  {
    differenceKeys: (draw) => both(draw, (work) => work.keys(1)),
    differences: (draw) => both(draw, () => undefined),
    weigh: (draw) => both(draw, (work) => work.weigh(weights, scales)),
    'accumulate, addToBase'(draw) {
      return both(draw, (work, _, out) => {
        work.add(weights, 0.7, out)
        return undefined
      })
    },
    'agreeing, addToBase'(draw) {
      return both(draw, (work, _, out) => {
        work.weigh(weights, scales)
        work.elect(weights, false, 0.7, out)
        return undefined
      })
    },
    'agreeing, addToBaseDivided'(draw) {
      return both(draw, (work, _, out) => {
        work.weigh(weights, scales)
        work.elect(weights, true, 0.7, out)
        return undefined
      })
    },
  },
)
