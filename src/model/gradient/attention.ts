/**
 * Softmax attention of each text's tokens among themselves, with several heads (Vaswani et al. 2017) that may share keys
 * and values (Ainslie et al. 2023), and its gradient.
 */
import type { Matrix64 } from '#core'

/** Rows of several texts one below the other; text e has rows starts[e] … starts[e + 1] − 1. */
export interface AttentionInputs {
  readonly query: Matrix64
  readonly key: Matrix64
  readonly value: Matrix64
}

export interface AttentionShape {
  readonly heads: number
  /** Heads of keys and values; each serves heads / keyHeads heads in a row. */
  readonly keyHeads: number
  /** Whether a token sees only itself and the tokens before it. */
  readonly causal: boolean
  readonly starts: Int32Array
}

export interface AttentionPass extends AttentionInputs {
  readonly output: Matrix64
  /** [tokens × tokens] per head per text, one after the other; 0 for a token that is not seen. */
  readonly weights: Float64Array
}

export function attend(inputs: AttentionInputs, shape: AttentionShape): AttentionPass {
  const { rows, width } = inputs.query
  const [query, key, value] = [inputs.query.data, inputs.key.data, inputs.value.data]
  const output = new Float64Array(query.length)
  const addTimes = rowAdder(width / shape.heads)
  const weights = new Float64Array(weightCount(shape))
  for (const { first, firstKey, step, keyStep, tokens, size, at } of headsOfTexts(width, shape)) {
    const scale = size ** -0.5
    for (let t = 0, i = first, row = at; t < tokens; t++, i += step, row += tokens) {
      const end = row + (shape.causal ? t + 1 : tokens)
      for (let j = firstKey, k = row; k < end; j += keyStep, k++) weights[k] = scale * dot(query, key, i, j, size)
      softmax(weights, row, end)
      for (let j = firstKey, k = row; k < end; j += keyStep, k++) addTimes(weights[k]!, value, j, output, i)
    }
  }
  return { ...inputs, output: { rows, width, data: output }, weights }
}

/** Gradients with respect to queries, keys and values, from that of the output. */
export function attendBackward(gradient: Matrix64, pass: AttentionPass, shape: AttentionShape): AttentionInputs {
  const { width, data } = gradient
  const { weights } = pass
  const addTimes = rowAdder(width / shape.heads)
  const [query, key, value] = [pass.query.data, pass.key.data, pass.value.data]
  const [toQuery, toKey, toValue] = [query, key, value].map(({ length }) => new Float64Array(length))
  for (const { first, firstKey, step, keyStep, tokens, size, at } of headsOfTexts(width, shape)) {
    const scale = size ** -0.5
    const slopes = new Float64Array(tokens)
    for (let t = 0, i = first, row = at; t < tokens; t++, i += step, row += tokens) {
      const seen = shape.causal ? t + 1 : tokens
      let mean = 0
      for (let j = firstKey, k = 0; k < seen; j += keyStep, k++) {
        slopes[k] = dot(data, value, i, j, size)
        mean += slopes[k]! * weights[row + k]!
        addTimes(weights[row + k]!, data, i, toValue!, j)
      }
      for (let j = firstKey, k = 0; k < seen; j += keyStep, k++) {
        const score = scale * weights[row + k]! * (slopes[k]! - mean)
        addTimes(score, key, j, toQuery!, i)
        addTimes(score, query, i, toKey!, j)
      }
    }
  }
  return {
    query: { ...pass.query, data: toQuery! },
    key: { ...pass.key, data: toKey! },
    value: { ...pass.value, data: toValue! },
  }
}

/** One head over the tokens of one text. */
interface Head {
  /** Its first number in the first token's row of queries, and in that of keys. */
  readonly first: number
  readonly firstKey: number
  /** From one token's row to the next. */
  readonly step: number
  readonly keyStep: number
  readonly tokens: number
  readonly size: number
  /** Its first weight. */
  readonly at: number
}

function* headsOfTexts(step: number, { heads, keyHeads, starts }: AttentionShape): Generator<Head> {
  const size = step / heads
  const keyStep = size * keyHeads
  let at = 0
  for (let text = 0; text + 1 < starts.length; text++) {
    const tokens = starts[text + 1]! - starts[text]!
    for (let head = 0; head < heads; head++, at += tokens * tokens)
      yield {
        first: starts[text]! * step + head * size,
        firstKey: starts[text]! * keyStep + Math.floor((head * keyHeads) / heads) * size,
        step,
        keyStep,
        tokens,
        size,
        at,
      }
  }
}

function weightCount({ heads, starts }: AttentionShape): number {
  let count = 0
  for (let text = 0; text + 1 < starts.length; text++) count += heads * (starts[text + 1]! - starts[text]!) ** 2
  return count
}

/** In place, from … end − 1. */
function softmax(values: Float64Array, from: number, end: number): void {
  let [largest, sum] = [-Infinity, 0]
  for (let j = from; j < end; j++) largest = Math.max(largest, values[j]!)
  for (let j = from; j < end; j++) sum += values[j] = Math.exp(values[j]! - largest)
  for (let j = from; j < end; j++) values[j] = values[j]! / sum
}

function dot(a: Float64Array, b: Float64Array, aAt: number, bAt: number, size: number): number {
  let sum = 0
  for (let k = 0; k < size; k++) sum += a[aAt + k]! * b[bAt + k]!
  return sum
}

type AddTimes = (by: number, source: Float64Array, from: number, target: Float64Array, to: number) => void

/** What adds `by` times `size` numbers of `source` at `from` to those of `target` at `to`. */
function rowAdder(size: number): AddTimes {
  return (by, source, from, target, to) => {
    for (let k = 0; k < size; k++) target[to + k] = target[to + k]! + by * source[from + k]!
  }
}
