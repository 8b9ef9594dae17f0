/** Softmax attention of each text's tokens among themselves, with several heads (Vaswani et al. 2017), and its gradient. */
import type { Matrix64 } from '#core'

/** Rows of several texts one below the other; text e has rows starts[e] … starts[e + 1] − 1. */
export interface AttentionInputs {
  readonly query: Matrix64
  readonly key: Matrix64
  readonly value: Matrix64
}

export interface AttentionShape {
  readonly heads: number
  readonly starts: Int32Array
}

export interface AttentionPass extends AttentionInputs {
  readonly output: Matrix64
  /** Of each text, of each head: [tokens × tokens], one after the other. */
  readonly weights: Float64Array
}

export function attend(inputs: AttentionInputs, shape: AttentionShape): AttentionPass {
  const { query, key, value } = inputs
  const output = { ...query, data: new Float64Array(query.data.length) }
  const weights = new Float64Array(weightCount(shape))
  overHeads(query.width, shape, ({ first, tokens, column, size, at }) => {
    const scale = size ** -0.5
    for (let i = 0; i < tokens; i++) {
      const row = weights.subarray(at + i * tokens, at + (i + 1) * tokens)
      for (let j = 0; j < tokens; j++)
        row[j] = scale * dot(query, key, (first + i) * query.width + column, (first + j) * query.width + column, size)
      softmax(row)
      for (let j = 0; j < tokens; j++)
        addTimes(output, value, (first + i) * query.width + column, (first + j) * query.width + column, size, row[j]!)
    }
  })
  return { ...inputs, output, weights }
}

/** Gradients with respect to queries, keys and values, from that of the output. */
export function attendBackward(gradient: Matrix64, pass: AttentionPass, shape: AttentionShape): AttentionInputs {
  const { width } = gradient
  const empty = (): Matrix64 => ({ ...gradient, data: new Float64Array(gradient.data.length) })
  const [query, key, value] = [empty(), empty(), empty()]
  overHeads(width, shape, ({ first, tokens, column, size, at }) => {
    const scale = size ** -0.5
    const slopes = new Float64Array(tokens)
    const place = (token: number): number => (first + token) * width + column
    for (let i = 0; i < tokens; i++) {
      const row = pass.weights.subarray(at + i * tokens, at + (i + 1) * tokens)
      let mean = 0
      for (let j = 0; j < tokens; j++) {
        slopes[j] = dot(gradient, pass.value, place(i), place(j), size)
        mean += slopes[j]! * row[j]!
        addTimes(value, gradient, place(j), place(i), size, row[j]!)
      }
      for (let j = 0; j < tokens; j++) {
        const score = scale * row[j]! * (slopes[j]! - mean)
        addTimes(query, pass.key, place(i), place(j), size, score)
        addTimes(key, pass.query, place(j), place(i), size, score)
      }
    }
  })
  return { query, key, value }
}

interface Head {
  readonly first: number
  readonly tokens: number
  readonly column: number
  readonly size: number
  /** Of its weights. */
  readonly at: number
}

function overHeads(width: number, { heads, starts }: AttentionShape, visit: (head: Head) => void): void {
  const size = width / heads
  let at = 0
  for (let text = 0; text + 1 < starts.length; text++) {
    const [first, tokens] = [starts[text]!, starts[text + 1]! - starts[text]!]
    for (let head = 0; head < heads; head++, at += tokens * tokens)
      visit({ first, tokens, column: head * size, size, at })
  }
}

function weightCount({ heads, starts }: AttentionShape): number {
  let count = 0
  for (let text = 0; text + 1 < starts.length; text++) count += heads * (starts[text + 1]! - starts[text]!) ** 2
  return count
}

function softmax(row: Float64Array): void {
  let [largest, sum] = [-Infinity, 0]
  for (let j = 0; j < row.length; j++) largest = Math.max(largest, row[j]!)
  for (let j = 0; j < row.length; j++) sum += row[j] = Math.exp(row[j]! - largest)
  for (let j = 0; j < row.length; j++) row[j] = row[j]! / sum
}

function dot(a: Matrix64, b: Matrix64, aAt: number, bAt: number, size: number): number {
  const [left, right] = [a.data, b.data]
  let sum = 0
  for (let k = 0; k < size; k++) sum += left[aAt + k]! * right[bAt + k]!
  return sum
}

/** target += by · source */
function addTimes(target: Matrix64, source: Matrix64, to: number, from: number, size: number, by: number): void {
  const [into, data] = [target.data, source.data]
  for (let k = 0; k < size; k++) into[to + k] = into[to + k]! + by * data[from + k]!
}
