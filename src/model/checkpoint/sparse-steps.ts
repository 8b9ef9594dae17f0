/**
 * Steps that leave few numbers of a vector: the code of a sparse autoencoder (T. Wen et al. 2025,
 * https://arxiv.org/abs/2503.01776), and the largest numbers. Values are float32, sums are float64.
 */
import { fault, matrix, type Matrix, row, type RepoFiles } from '#core'
import { countOf, flagOf, type JsonFields } from '#files/formats'
import { readWeights } from './module-weights.ts'

/** relu of the `active` greatest of (x − b)·Wᵀ + c, zeros elsewhere. */
export interface AutoEncoderStep {
  readonly kind: 'auto-encoder'
  readonly place: string
  readonly inputs: number
  readonly outputs: number
  readonly active: number
  /** x becomes (x − mean) / (deviation + 1e-5) first. */
  readonly standardise: boolean
  /** [outputs × inputs] */
  readonly weight: Float32Array
  readonly before: Float32Array
  readonly after: Float32Array
}

/** The numbers that are largest without their signs, zeros elsewhere. */
export interface MostActiveStep {
  readonly kind: 'most-active'
  readonly count: number
}

/** Most numbers of a vector that a module may have. */
const mostOutputs = 1 << 20

/** `active`: what the folder says for all its vectors; otherwise the module's own `k`. Throws `config.*`, `tensor.*`. */
export async function readAutoEncoder(
  files: RepoFiles,
  folder: string,
  config: JsonFields,
  active: number | undefined,
): Promise<AutoEncoderStep> {
  const [inputs, outputs] = [countOf(config, 'input_dim'), countOf(config, 'hidden_dim')]
  if (Math.max(inputs, outputs) > mostOutputs)
    throw fault('format.limit', {
      place: config.place,
      what: 'too wide',
      seen: [inputs, outputs],
      wanted: `at most ${mostOutputs}`,
    })
  const k = active ?? countOf(config, 'k')
  if (k < 1 || k > outputs)
    throw fault('config.value', {
      place: `${config.place} › k`,
      what: 'no such number of outputs',
      seen: k,
      wanted: `1 … ${outputs}`,
    })
  const weights = await readWeights(files, folder, {
    shapes: { 'encoder.weight': [outputs, inputs], pre_bias: [inputs], latent_bias: [outputs] },
    // the decoder is the encoder's transpose, and a file holds shared tensors once
    aliases: { 'decoder.linear.weight': 'encoder.weight' },
    ignored: ['stats_last_nonzero'],
  })
  const taken = (name: string): Float32Array => weights.get(name) ?? new Float32Array()
  return {
    kind: 'auto-encoder',
    place: `${files.name}/${folder}`,
    inputs,
    outputs,
    active: k,
    standardise: flagOf(config, 'normalize', false),
    weight: taken('encoder.weight'),
    before: taken('pre_bias'),
    after: taken('latent_bias'),
  }
}

export function autoEncode(step: AutoEncoderStep, input: Matrix): Matrix {
  const { inputs, outputs, active, standardise, weight, before, after } = step
  const out = matrix(input.rows, outputs)
  const all = new Float32Array(outputs)
  for (let r = 0; r < input.rows; r++) {
    const given = row(input, r)
    const x = Float64Array.from(standardise ? standardised(given) : given, (value, i) =>
      Math.fround(value - (before[i] ?? 0)),
    )
    for (let o = 0; o < outputs; o++) {
      let sum = after[o] ?? 0
      for (let i = 0; i < inputs; i++) sum += (x[i] ?? 0) * (weight[o * inputs + i] ?? 0)
      all[o] = sum
    }
    const target = row(out, r)
    for (const o of greatest(all, active)) target[o] = Math.max(0, all[o] ?? 0)
  }
  return out
}

export function mostActive({ count }: MostActiveStep, input: Matrix): Matrix {
  if (count >= input.width) return input
  const out = matrix(input.rows, input.width)
  for (let r = 0; r < input.rows; r++) {
    const values = row(input, r)
    const target = row(out, r)
    for (const at of greatest(values.map(Math.abs), count)) target[at] = values[at] ?? 0
  }
  return out
}

/** (x − mean) / (standard deviation with n − 1, plus 1e-5) */
function standardised(values: Float32Array): Float32Array {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const from = values.map((value) => value - mean)
  const squares = from.reduce((sum, value) => sum + value * value, 0)
  const deviation = Math.sqrt(squares / (values.length - 1))
  return from.map((value) => value / (deviation + 1e-5))
}

/** Places of the `count` greatest values; the first of equal ones. */
function greatest(values: Float32Array, count: number): Uint32Array {
  const sorted = values.slice().sort()
  const least = sorted[Math.max(0, values.length - count)] ?? 0
  const places = new Uint32Array(Math.min(count, values.length))
  let at = 0
  for (let i = 0; i < values.length && at < places.length; i++) if ((values[i] ?? 0) > least) places[at++] = i
  for (let i = 0; i < values.length && at < places.length; i++) if (values[i] === least) places[at++] = i
  return places
}
