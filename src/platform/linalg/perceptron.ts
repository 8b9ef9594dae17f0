/**
 * A linear classifier, or a small network, trained as PyTorch trains one: Adam with a linear warm-up and descent,
 * dropout, early stopping. Float32; the weights begin uniform in ±1/√inputs (torch's `nn.Linear`). The draws are ours,
 * so that a run is repeated exactly by its seed, and a run of torch only in distribution.
 */
import { fault, type Matrix } from '#core'
import { philox, randomState, type WordsAt } from '#platform/random'
import type { Stop } from '#platform/threads'
import { lossInPlace, type PerceptronLoss } from './perceptron-loss.ts'
import { adamRates, type PerceptronKernel, perceptronKernel, rowBytes, rowsAtOnce } from './perceptron-simd.ts'

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

/** A network in the memory of its kernel. */
interface Work {
  readonly data: PerceptronData
  readonly kernel: PerceptronKernel
  readonly numbers: Float32Array
  readonly layers: readonly Layer[]
  /** Rows there is room for. */
  readonly rows: number
  /** Whether the next input is left out, and what those that stay are multiplied by. */
  readonly dropped: () => boolean
  readonly grown: number
}

function openNetwork(data: PerceptronData, options: PerceptronOptions): Network {
  const { outputs, hidden = [], batch = 16, dropout = 0.2, epochs = 20, seed = 0, loss } = options
  const { rate = 1e-3, warmup = 0.1, clip } = options
  const rows = Math.ceil(Math.max(batch, evaluationRows) / rowsAtOnce) * rowsAtOnce
  const { layers, weightBytes, end } = layOut([data.x.width, ...hidden, outputs], rows)
  const kernel = perceptronKernel(end + 3 * weightBytes)
  const numbers = new Float32Array(kernel.memory)
  const [gradients, firsts, seconds] = [end, end + weightBytes, end + 2 * weightBytes]
  const weights = numbers.subarray(0, weightBytes / 4)
  const dropped = drops(philox(`perceptron dropout ${seed}`), dropout)
  initialise(numbers, layers, seed)
  for (const { inputs, row, rowsAt } of layers)
    for (let r = 0; r < rows; r++) numbers[(rowsAt + r * row) / 4 + inputs] = 1
  const work: Work = { data, kernel, numbers, layers, rows, dropped, grown: 1 / (1 - dropout) }
  const total = Math.ceil(data.train.length / batch) * epochs
  const kept = new Float32Array(weights.length)
  let step = 0

  return {
    learn(chosen) {
      gather(work, chosen, 0, chosen.length, true)
      forward(work, chosen.length, true)
      derive(work, chosen, loss)
      backward(work, chosen.length, gradients)
      if (clip !== undefined) shorten(numbers.subarray(gradients / 4, (gradients + weightBytes) / 4), clip)
      const scheduled = rate * scheduleAt(step++, total, warmup * total)
      const [along, root] = [scheduled / (1 - adamRates.first ** step), 1 / Math.sqrt(1 - adamRates.second ** step)]
      kernel.adam(weightBytes, 0, gradients, firsts, seconds, along, root)
    },
    outputs: (chosen) => outputsOf(work, chosen),
    keep: () => kept.set(weights),
    restore: () => weights.set(kept),
    release: kernel.release,
  }
}

/** Rows of the data into the first layer. */
function gather(work: Work, chosen: ArrayLike<number>, from: number, count: number, learning: boolean): void {
  const { numbers, dropped, grown } = work
  const { x, standard } = work.data
  const { rowsAt, row, inputs } = work.layers[0]!
  for (let r = 0; r < count; r++) {
    const [source, target] = [chosen[from + r]! * inputs, (rowsAt + r * row) / 4]
    for (let i = 0; i < inputs; i++) numbers[target + i] = x.data[source + i]!
    if (standard !== undefined)
      for (let i = 0; i < inputs; i++)
        numbers[target + i] = (numbers[target + i]! - standard.shift[i]!) * standard.scale[i]!
    if (learning) for (let i = 0; i < inputs; i++) numbers[target + i] = dropped() ? 0 : numbers[target + i]! * grown
  }
}

function forward({ kernel, numbers, layers, rows, dropped, grown }: Work, count: number, learning: boolean): void {
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
        const passed = value > 0 ? value : leak * value
        if (!learning) numbers[target + k] = passed
        else numbers[target + k] = passed * (dropped() ? 0 : grown)
      }
    }
  }
}

/** The last layer's scores become the derivatives of the rows' mean loss by them. */
function derive({ data, numbers, layers, rows }: Work, chosen: Int32Array, loss: PerceptronLoss): void {
  const { scoresAt, outputs } = layers.at(-1)!
  const scores = new Float64Array(outputs)
  for (let r = 0; r < chosen.length; r++) {
    const at = scoresAt / 4 + r
    for (let k = 0; k < outputs; k++) scores[k] = numbers[at + k * rows]!
    lossInPlace(loss, scores, data.targets[chosen[r]!]!)
    for (let k = 0; k < outputs; k++) numbers[at + k * rows] = scores[k]! / chosen.length
  }
}

function backward({ kernel, numbers, layers, rows, grown }: Work, count: number, gradients: number): void {
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

function outputsOf(work: Work, chosen: ArrayLike<number>): Float32Array {
  const { numbers, layers, rows } = work
  const { scoresAt, outputs } = layers.at(-1)!
  const out = new Float32Array(chosen.length * outputs)
  for (let from = 0; from < chosen.length; from += evaluationRows) {
    const count = Math.min(evaluationRows, chosen.length - from)
    gather(work, chosen, from, count, false)
    forward(work, count, false)
    for (let r = 0; r < count; r++)
      for (let k = 0; k < outputs; k++) out[(from + r) * outputs + k] = numbers[scoresAt / 4 + k * rows + r]!
  }
  return out
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
