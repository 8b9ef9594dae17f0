/**
 * RAM+: as RAM, with the changes that one input made alone raised by how many of its changes are shared. Tensor by tensor as in mergekit (`tl`); under `paper` the shares are
 * those of the whole model.
 */
import { code, get, set, simd, words } from '#platform/wasm'
import { type Block, type MergeMethod, numberOf, shared, type TensorTask } from './method.ts'
import { vectorFormula } from './elementwise-simd.ts'

export const ramplusTl: MergeMethod = {
  name: 'ramplus_tl',
  reference: 'https://github.com/arcee-ai/mergekit/pull/662',
  base: 'required',
  inputs: [1, Infinity],
  parameters: { epsilon: shared(1e-5), r: shared(0.1), alpha: shared(0.2) },
  streaming: 'reduction',
  tolerance: 2e-6,
  paper: 'the shares of shared changes are those of the whole model',
  visit(task, stage) {
    if (stage > 0 || task.compat !== 'paper') return undefined
    const { counts, survey } = overlap(task)
    return { grain: 1, surveys: [survey], totals: () => counts }
  },
  kernel(task) {
    const { inputs: models, shared: values, round, totals, compat } = task
    const epsilon = numberOf(values, 'epsilon')
    const { counts, survey } = overlap(task)
    if (totals?.[0] !== undefined) counts.set(totals[0])
    let raises: readonly number[] | undefined
    return {
      grain: 1,
      surveys: totals === undefined ? [survey] : [],
      output(block, out) {
        raises ??= Array.from({ length: models }, (_, k) => raiseOf(counts[2 * k]!, counts[2 * k + 1]!, epsilon, values))
        if (compat !== 'mergekit-0.1.4' && onVectors(block, [epsilon, 1, ...raises], out)) return
        const { length, base, inputs } = block
        for (let i = 0; i < length; i++) {
          let [sum, count, last] = [0, 0, 0]
          for (let k = 0; k < inputs.length; k++) {
            const change = round(inputs[k]![i]! - base![i]!)
            if (Math.abs(change) <= epsilon) continue
            sum += change
            count++
            last = k
          }
          const change = count > 1 ? sum / count : sum * raises[last]!
          out[i] = round(base![i]! + round(change))
        }
      },
    }
  },
}

function raiseOf(sharedCount: number, alone: number, epsilon: number, values: TensorTask['shared']): number {
  const share = sharedCount / Math.max(alone, epsilon)
  return 1 + numberOf(values, 'r') * Math.min(Math.max(share, 0), numberOf(values, 'alpha'))
}

/** How many elements each input changed together with others, and alone: [shared, alone, shared, alone, …]. */
function overlap({ inputs: models, shared: values, round, compat }: TensorTask): { counts: Float64Array; survey: (block: Block) => void } {
  const counts = new Float64Array(2 * models)
  const epsilon = numberOf(values, 'epsilon')
  const changed = new Uint8Array(models)
  const bits = Array.from({ length: models }, (_, k) => 2 ** k)
  let patterns = new Float32Array(0)
  return {
    counts,
    survey(block) {
      const { length, base, inputs } = block
      if (patterns.length < length) patterns = new Float32Array(length)
      if (compat !== 'mergekit-0.1.4' && changesOnVectors(block, [epsilon, ...bits], patterns)) return addPatterns(patterns, length, counts)
      for (let i = 0; i < length; i++) {
        let count = 0
        for (let k = 0; k < models; k++) {
          changed[k] = Math.abs(round(inputs[k]![i]! - base![i]!)) <= epsilon ? 0 : 1
          count += changed[k]!
        }
        const alone = count === 1 ? 1 : 0
        for (let k = 0; k < models; k++) counts[2 * k + alone]! += changed[k]!
      }
    },
  }
}

/** Bit k of a pattern says that input k changed the element. */
function addPatterns(patterns: Float32Array, length: number, counts: Float64Array): void {
  const seen = new Uint32Array(2 ** (counts.length / 2))
  for (let i = 0; i < length; i++) seen[patterns[i]!]!++
  seen.forEach((times, pattern) => {
    const alone = (pattern & (pattern - 1)) === 0 ? 1 : 0
    for (let k = 0; pattern >>> k > 0; k++) counts[2 * k + alone]! += ((pattern >>> k) & 1) * times
  })
}

const [not, and, choose, magnitude, atMost, larger] = [simd(0x4d), simd(0x4e), simd(0x52), simd(0xec), simd(0x4b), simd(0x4a)]
const [add, subtract, multiply, divide] = [simd(0xf0), simd(0xf1), simd(0xf2), simd(0xf3)]
const zero = words(0, 0, 0, 0)

/** An input is overwritten with its change: the last one that counts leaves its raise. */
const onVectors = vectorFormula(({ base, inputs, constants: [epsilon, one, ...raises], scratch: [counts, raise, sum, count] }) =>
  code(
    code(zero, set(sum), zero, set(count), get(raises[0]!), set(raise)),
    ...inputs.map((input, k) =>
      code(
        code(get(input), get(base), subtract, set(input), get(input), magnitude, get(epsilon!), atMost, not, set(counts)),
        code(get(sum), get(input), get(counts), and, add, set(sum), get(count), get(one!), get(counts), and, add, set(count)),
        code(get(raises[k]!), get(raise), get(counts), choose, set(raise)),
      ),
    ),
    code(get(base), get(sum), get(count), divide, get(sum), get(raise), multiply, get(count), get(one!), larger, choose, add),
  ),
)

const changesOnVectors = vectorFormula(({ base, inputs, constants: [epsilon, ...bits], scratch: [pattern] }) =>
  code(
    code(zero, set(pattern)),
    ...inputs.map((input, k) =>
      code(get(pattern), get(bits[k]!), get(input), get(base), subtract, magnitude, get(epsilon!), atMost, not, and, add, set(pattern)),
    ),
    get(pattern),
  ),
)
