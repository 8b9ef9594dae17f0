/**
 * A linear classifier, or a small network, trained as PyTorch trains one: Adam with a linear warm-up and descent,
 * dropout, early stopping. Float32; the weights begin uniform in ±1/√inputs
 * (torch's `nn.Linear`). The draws are ours, so that a run is repeated exactly by its seed, and a run of torch only in
 * distribution.
 */
import { fault, type Matrix } from '#core'
import { philox, randomState, type WordsAt } from '#platform/random'
import type { Stop } from '#platform/threads'
import { lossInPlace, type PerceptronLoss } from './perceptron-loss.ts'
import { adamRates, perceptronKernel, rowBytes, rowsAtOnce } from './perceptron-simd.ts'

export interface PerceptronData {
  readonly x: Matrix
  /** A class or a number for each row of `x`. */
  readonly targets: ArrayLike<number>
  readonly train: ArrayLike<number>
  /** Rows that say when to stop. */
  readonly dev: ArrayLike<number>
  /** Each column less its shift, times its scale. */
  readonly standard?: { readonly shift: Float32Array; readonly scale: Float32Array } | undefined
}

export interface PerceptronOptions {
  /** Classes, or 1 for a number. */
  outputs: number
  loss: PerceptronLoss
  /** Widths of hidden layers, with leaky rectifiers. */
  hidden?: readonly number[] | undefined
  dropout?: number | undefined
  rate?: number | undefined
  batch?: number | undefined
  epochs?: number | undefined
  /** Share of the steps in which the rate rises. */
  warmup?: number | undefined
  /** Epochs without a better one before the end. */
  patience?: number | undefined
  /** Longest gradient. */
  clip?: number | undefined
  seed?: number | undefined
  /** Score of the outputs of the `dev` rows and their mean loss: larger is better. Default: lower loss. */
  goodness?: ((outputs: Float32Array, loss: number) => number) | undefined
  signal?: Stop | undefined
}

export interface Perceptron {
  /** Epochs that ran, and the one whose weights were kept. */
  readonly epochs: number
  readonly best: number
  /** [rows × outputs], before any softmax. */
  outputs(rows: ArrayLike<number>): Float32Array
  /** Gives the memory back; nothing can be asked afterwards. */
  release(): void
}

/** Rows of a batch when nothing is learnt. */
const evaluationRows = 64
const leak = 0.01

export function fitPerceptron(data: PerceptronData, options: PerceptronOptions): Perceptron {
  const {
    batch = 16,
    epochs = 20,
    patience = 5,
    seed = 0,
    loss,
    outputs: count,
    signal,
    goodness = (_outputs, value) => -value,
  } = options
  const { targets } = data
  if (!(batch >= 1))
    throw fault('usage.value', { place: 'perceptron', what: 'a batch needs a row', seen: batch, wanted: '≥ 1' })
  const network = openNetwork(data, options)
  const order = Int32Array.from(data.train)
  const generator = randomState(seed)
  const scores = new Float64Array(count)
  const stopped = (): boolean => signal?.aborted === true
  let [best, kept, epoch] = [-Infinity, 0, 0]
  for (let waited = 0; epoch < epochs && waited < patience && !stopped(); epoch++) {
    generator.shuffle(order)
    for (let at = 0; at < order.length; at += batch) network.learn(order.subarray(at, at + batch))
    const outputs = network.outputs(data.dev)
    let sum = 0
    for (let i = 0; i < data.dev.length; i++) {
      for (let k = 0; k < count; k++) scores[k] = outputs[i * count + k]!
      sum += lossInPlace(loss, scores, targets[data.dev[i]!]!)
    }
    const value = goodness(outputs, sum / data.dev.length)
    if (value > best) {
      ;[best, kept, waited] = [value, epoch + 1, 0]
      network.keep()
    } else waited++
  }
  if (kept > 0) network.restore()
  return { epochs: epoch, best: kept, outputs: network.outputs, release: network.release }
}

interface Network extends Pick<Perceptron, 'outputs' | 'release'> {
  learn(rows: Int32Array): void
  keep(): void
  restore(): void
}

/** One layer's places in the memory: rows of inputs end in a 1, whose weight is the bias. */
interface Layer {
  readonly inputs: number
  readonly outputs: number
  /** Bytes of a row of inputs or weights. */
  readonly row: number
  /** Bytes from the first of the weights; gradients and both moments lie likewise. */
  readonly weights: number
  readonly rowsAt: number
  readonly scoresAt: number
}

function openNetwork(
  data: PerceptronData,
  {
    outputs,
    hidden = [],
    batch = 16,
    dropout = 0.2,
    rate = 1e-3,
    warmup = 0.1,
    epochs = 20,
    clip,
    seed = 0,
    loss,
  }: PerceptronOptions,
): Network {
  const { x, targets, standard, train } = data
  const rows = Math.ceil(Math.max(batch, evaluationRows) / rowsAtOnce) * rowsAtOnce
  const widths = [x.width, ...hidden, outputs]
  const { layers, weightBytes, end } = layOut(widths, rows)
  const kernel = perceptronKernel(end + 3 * weightBytes)
  const numbers = new Float32Array(kernel.memory)
  const [gradients, firsts, seconds] = [end, end + weightBytes, end + 2 * weightBytes]
  const weights = numbers.subarray(0, weightBytes / 4)
  const dropped = drops(philox(`perceptron dropout ${seed}`), dropout)
  initialise(numbers, layers, seed)
  for (const { inputs, row, rowsAt } of layers)
    for (let r = 0; r < rows; r++) numbers[(rowsAt + r * row) / 4 + inputs] = 1
  const total = Math.ceil(train.length / batch) * epochs
  const kept = new Float32Array(weights.length)
  const scores = new Float64Array(outputs)
  const grown = 1 / (1 - dropout)
  let step = 0

  const gather = (chosen: ArrayLike<number>, from: number, count: number, learning: boolean): void => {
    const { rowsAt, row, inputs } = layers[0]!
    for (let r = 0; r < count; r++) {
      const [source, target] = [chosen[from + r]! * inputs, (rowsAt + r * row) / 4]
      for (let i = 0; i < inputs; i++) numbers[target + i] = x.data[source + i]!
      if (standard !== undefined)
        for (let i = 0; i < inputs; i++)
          numbers[target + i] = (numbers[target + i]! - standard.shift[i]!) * standard.scale[i]!
      if (learning) for (let i = 0; i < inputs; i++) numbers[target + i] = dropped() ? 0 : numbers[target + i]! * grown
    }
  }
  const forward = (count: number, learning: boolean): void => {
    for (const [l, { row, rowsAt, scoresAt, weights: first, outputs: width }] of layers.entries()) {
      for (let k = 0; k < width; k++)
        for (let r = 0; r < count; r += rowsAtOnce)
          kernel.products(row, rowsAt + r * row, first + k * row, scoresAt + 4 * (k * rows + r))
      const next = layers[l + 1]
      if (next === undefined) continue
      for (let r = 0; r < count; r++) {
        const target = (next.rowsAt + r * next.row) / 4
        for (let k = 0; k < width; k++) {
          const value = numbers[scoresAt / 4 + k * rows + r]!
          numbers[target + k] = (value > 0 ? value : leak * value) * (learning ? (dropped() ? 0 : grown) : 1)
        }
      }
    }
  }
  const backward = (count: number): void => {
    for (let l = layers.length - 1; l >= 0; l--) {
      const { row, rowsAt, scoresAt, weights: first, outputs: width, inputs } = layers[l]!
      for (let k = 0; k < width; k++)
        kernel.combine(row, scoresAt + 4 * k * rows, 4, rowsAt, rowsAt + count * row, gradients + first + k * row)
      const before = layers[l - 1]
      if (before === undefined) continue
      for (let r = 0; r < count; r++) {
        const place = rowsAt + r * row
        const active = numbers.slice(place / 4, place / 4 + inputs)
        kernel.combine(row, scoresAt + 4 * r, 4 * rows, first, first + width * row, place)
        for (let j = 0; j < inputs; j++) {
          const at = before.scoresAt / 4 + j * rows + r
          numbers[at] = active[j] === 0 ? 0 : numbers[place / 4 + j]! * grown * (numbers[at]! > 0 ? 1 : leak)
        }
        // the derivative was written over the row: its last input is 1 again
        numbers[place / 4 + inputs] = 1
      }
    }
  }
  const last = layers.at(-1)!

  return {
    learn(chosen) {
      const count = chosen.length
      gather(chosen, 0, count, true)
      forward(count, true)
      for (let r = 0; r < count; r++) {
        const at = last.scoresAt / 4 + r
        for (let k = 0; k < outputs; k++) scores[k] = numbers[at + k * rows]!
        lossInPlace(loss, scores, targets[chosen[r]!]!)
        for (let k = 0; k < outputs; k++) numbers[at + k * rows] = scores[k]! / count
      }
      backward(count)
      if (clip !== undefined) shorten(numbers.subarray(gradients / 4, (gradients + weightBytes) / 4), clip)
      const scheduled = rate * scheduleAt(step++, total, warmup * total)
      kernel.adam(
        weightBytes,
        0,
        gradients,
        firsts,
        seconds,
        scheduled / (1 - adamRates.first ** step),
        1 / Math.sqrt(1 - adamRates.second ** step),
      )
    },
    outputs(chosen) {
      const out = new Float32Array(chosen.length * outputs)
      for (let from = 0; from < chosen.length; from += evaluationRows) {
        const count = Math.min(evaluationRows, chosen.length - from)
        gather(chosen, from, count, false)
        forward(count, false)
        for (let r = 0; r < count; r++)
          for (let k = 0; k < outputs; k++) out[(from + r) * outputs + k] = numbers[last.scoresAt / 4 + k * rows + r]!
      }
      return out
    },
    keep: () => kept.set(weights),
    restore: () => weights.set(kept),
    release: kernel.release,
  }
}

/** Weights of all layers, then rows and scores of each. */
function layOut(widths: readonly number[], rows: number): { layers: Layer[]; weightBytes: number; end: number } {
  const rowOf = (inputs: number): number => Math.ceil((4 * (inputs + 1)) / rowBytes) * rowBytes
  const shapes = widths.slice(1).map((outputs, l) => ({ inputs: widths[l]!, outputs, row: rowOf(widths[l]!) }))
  const weightBytes = shapes.reduce((sum, { outputs, row }) => sum + outputs * row, 0)
  let [weights, end] = [0, weightBytes]
  const layers = shapes.map((shape) => {
    const rowsAt = end
    const scoresAt = rowsAt + rows * shape.row
    const layer = { ...shape, weights, rowsAt, scoresAt }
    weights += shape.outputs * shape.row
    end = scoresAt + 4 * shape.outputs * rows
    return layer
  })
  return { layers, weightBytes, end }
}

function initialise(numbers: Float32Array, layers: readonly Layer[], seed: number): void {
  const generator = randomState(seed)
  for (const { inputs, outputs, row, weights } of layers) {
    const bound = 1 / Math.sqrt(inputs)
    for (let k = 0; k < outputs; k++) {
      const values = generator.randomSample(inputs + 1)
      for (let i = 0; i <= inputs; i++) numbers[(weights + k * row) / 4 + i] = (2 * values[i]! - 1) * bound
    }
  }
}

/**
 * Share of the rate at a step, counted from 0: up to 1 over the first `warm` steps, then down to 0 at `total`
 * (transformers' `get_linear_schedule_with_warmup`).
 */
function scheduleAt(step: number, total: number, warm: number): number {
  return step < warm ? step / Math.max(1, warm) : Math.max(0, (total - step) / Math.max(1, total - warm))
}

/** Whether an input is left out: of each word of the sequence both halves are a draw. */
function drops(words: WordsAt, share: number): () => boolean {
  const drawn = new Uint32Array(4096)
  const halves = new Uint16Array(drawn.buffer)
  const limit = Math.round(share * 2 ** 16)
  let [at, first] = [halves.length, 0]
  return () => {
    if (at === halves.length) {
      words(first, drawn)
      first += drawn.length
      at = 0
    }
    return halves[at++]! < limit
  }
}

/** To the length `most` where it is longer (torch's `clip_grad_norm_`). */
function shorten(gradient: Float32Array, most: number): void {
  let sum = 0
  for (const value of gradient) sum += value ** 2
  const by = most / (Math.sqrt(sum) + 1e-6)
  if (by < 1) for (let i = 0; i < gradient.length; i++) gradient[i]! *= by
}
