/**
 * RAM+: as RAM, with the changes that one input made alone raised by how many of its changes are shared. Tensor by
 * tensor as in mergekit (`tl`); under `paper` the shares are those of the whole model.
 */
import { code, type Code, f64x2, local, type Local, v128 } from '#platform/wasm'
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
  modelPass(task, stage) {
    if (stage > 0 || task.compat !== 'paper') return undefined
    const { counts, pass } = overlap(task)
    return { grain: 1, passes: [pass], totals: () => counts }
  },
  kernel(task) {
    const { inputs: models, shared: values, round, totals, compat } = task
    const epsilon = numberOf(values, 'epsilon')
    const { counts, pass } = overlap(task)
    if (totals?.[0] !== undefined) counts.set(totals[0])
    let raises: readonly number[] | undefined
    return {
      grain: 1,
      passes: totals === undefined ? [pass] : [],
      output(block, out) {
        raises ??= Array.from({ length: models }, (_, k) =>
          raiseOf(counts[2 * k]!, counts[2 * k + 1]!, epsilon, values),
        )
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
function overlap({ inputs: models, shared: values, round, compat }: TensorTask): {
  counts: Float64Array
  pass: (block: Block) => void
} {
  const counts = new Float64Array(2 * models)
  const epsilon = numberOf(values, 'epsilon')
  const changed = new Uint8Array(models)
  const bits = Array.from({ length: models }, (_, k) => 2 ** k)
  let patterns = new Float32Array(0)
  return {
    counts,
    pass(block) {
      const { length, base, inputs } = block
      if (patterns.length < length) patterns = new Float32Array(length)
      if (compat !== 'mergekit-0.1.4' && changesOnVectors(block, [epsilon, ...bits], patterns))
        return addPatterns(patterns, length, counts)
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

/** An input is overwritten with its change: the last one that counts leaves its raise. */
const onVectors = vectorFormula(
  ({ base, inputs, constants: [epsilon, one, ...raises], scratch: [counts, raise, sum, count] }) =>
    code(
      local.set(sum, f64x2.all(0)),
      local.set(count, f64x2.all(0)),
      local.set(raise, raises[0]!),
      ...inputs.map((input, k) =>
        code(
          local.set(input, f64x2.sub(input, base)),
          local.set(counts, v128.not(f64x2.le(f64x2.abs(input), epsilon!))),
          local.set(sum, f64x2.add(sum, v128.and(input, counts))),
          local.set(count, f64x2.add(count, v128.and(one!, counts))),
          local.set(raise, v128.bitselect(raises[k]!, raise, counts)),
        ),
      ),
      f64x2.add(base, v128.bitselect(f64x2.div(sum, count), f64x2.mul(sum, raise), f64x2.gt(count, one!))),
    ),
)

const changesOnVectors = vectorFormula(({ base, inputs, constants: [epsilon, ...bits], scratch: [pattern] }) => {
  const changed = (input: Local): Code => v128.not(f64x2.le(f64x2.abs(f64x2.sub(input, base)), epsilon!))
  return code(
    local.set(pattern, f64x2.all(0)),
    ...inputs.map((input, k) => local.set(pattern, f64x2.add(pattern, v128.and(bits[k]!, changed(input))))),
    pattern,
  )
})
