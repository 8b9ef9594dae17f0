/**
 * The modules after the pooling of a sentence-transformers model: Normalize, Dense, LayerNorm, and the folder's
 * `truncate_dim`, as data with their weights, and their arithmetic; those that leave few numbers are in `sparse-steps.ts`. Values are float32, sums are float64.
 */
import { fault, matrix, row, type Matrix, type RepoFiles } from '#core'
import { countOf, flagOf, type JsonFields, optionalTextOf } from '#files/formats'
import { activate, denseActivation, type DenseActivation } from './dense-activations.ts'
import { readWeights } from './module-weights.ts'
import { autoEncode, type AutoEncoderStep, mostActive, type MostActiveStep } from './sparse-steps.ts'

export type ModuleStep = NormalizeStep | DenseStep | LayerNormStep | TruncateStep | AutoEncoderStep | MostActiveStep

interface NormalizeStep {
  readonly kind: 'normalize'
}

interface DenseStep {
  readonly kind: 'dense'
  readonly place: string
  readonly inputs: number
  readonly outputs: number
  /** [outputs × inputs] */
  readonly weight: Float32Array
  readonly bias: Float32Array | undefined
  readonly activation: DenseActivation
  /** Added to the result: the input itself, or a projection of it [outputs × inputs]. */
  readonly residual: 'input' | Float32Array | undefined
}

interface LayerNormStep {
  readonly kind: 'layer-norm'
  readonly place: string
  readonly width: number
  readonly weight: Float32Array
  readonly bias: Float32Array
}

/** The first numbers of a row, as they are: `truncate_dim` comes after all modules, and nothing is normalised again. */
interface TruncateStep {
  readonly kind: 'truncate'
  /** Maximum: a shorter row stays. */
  readonly width: number
}

/** Widest row a module may have; the widest model in use has 16,384. */
const maxWidth = 1 << 17

/** Dense of sentence-transformers 2 … 6 from its config and weights. Throws `config.*`, `tensor.*`, `file.missing`. */
export async function readDense(
  files: RepoFiles,
  folder: string,
  config: JsonFields,
  features: StepFeatures = embedding,
): Promise<DenseStep> {
  assertFeatures(config, features)
  const [inputs, outputs] = [width(config, 'in_features'), width(config, 'out_features')]
  const bias = flagOf(config, 'bias', true)
  const residual = flagOf(config, 'use_residual', false)
  const projected = residual && inputs !== outputs
  const activation = denseActivation(
    optionalTextOf(config, 'activation_function') ?? 'torch.nn.modules.activation.Tanh',
    `${config.place} › activation_function`,
  )
  const shapes = {
    'linear.weight': [outputs, inputs],
    ...(bias ? { 'linear.bias': [outputs] } : {}),
    ...(projected ? { 'residual.weight': [outputs, inputs] } : {}),
  }
  const weights = await readWeights(files, folder, { shapes })
  const kept = residual ? 'input' : undefined
  return {
    kind: 'dense',
    place: `${files.name}/${folder}`,
    inputs,
    outputs,
    weight: weights.get('linear.weight') ?? new Float32Array(),
    bias: weights.get('linear.bias'),
    activation,
    residual: projected ? weights.get('residual.weight') : kept,
  }
}

export async function readLayerNorm(files: RepoFiles, folder: string, config: JsonFields): Promise<LayerNormStep> {
  const size = width(config, 'dimension')
  const weights = await readWeights(files, folder, { shapes: { 'norm.weight': [size], 'norm.bias': [size] } })
  const [weight = new Float32Array(), bias = new Float32Array()] = [
    weights.get('norm.weight'),
    weights.get('norm.bias'),
  ]
  return { kind: 'layer-norm', place: `${files.name}/${folder}`, width: size, weight, bias }
}

/** Layers' weights of a WeightedLayerPooling: `layer_weights` of this length. */
export async function readLayerWeights(files: RepoFiles, folder: string, length: number): Promise<Float32Array> {
  return (
    (await readWeights(files, folder, { shapes: { layer_weights: [length] } })).get('layer_weights') ??
    new Float32Array()
  )
}

/** What a module works on: the vector of a text, those of its tokens, or the scores of a pair. */
type Feature = 'sentence_embedding' | 'token_embeddings' | 'scores'

export interface StepFeatures {
  readonly reads: Feature
  readonly writes: Feature
}

const embedding: StepFeatures = { reads: 'sentence_embedding', writes: 'sentence_embedding' }
export const ofTokens: StepFeatures = { reads: 'token_embeddings', writes: 'token_embeddings' }

const features = {
  sentence_embedding: 'sentence embedding',
  token_embeddings: 'embeddings of tokens',
  scores: 'scores',
} as const satisfies Record<Feature, string>

/** A module that names other features than its place in the model has is refused: `config.unsupported`. */
export function assertFeatures(config: JsonFields, { reads, writes }: StepFeatures = embedding): void {
  // pylate names none
  const from =
    optionalTextOf(config, 'module_input_name') ?? (reads === 'token_embeddings' ? reads : 'sentence_embedding')
  const to = optionalTextOf(config, 'module_output_name') ?? from
  const named = { module_input_name: [from, reads], module_output_name: [to, writes] } as const
  for (const [name, [seen, wanted]] of Object.entries(named))
    if (seen !== wanted)
      throw fault('config.unsupported', {
        place: `${config.place} › ${name}`,
        what: `the module does not work on the ${features[wanted]}`,
        seen,
        wanted,
      })
}

/** Width of a row after the steps. Throws `config.value` when a step does not fit what comes before it. */
export function laterWidth(steps: readonly ModuleStep[], width: number): number {
  return steps.reduce((current, step) => {
    if (step.kind === 'normalize' || step.kind === 'most-active') return current
    if (step.kind === 'truncate') return Math.min(current, step.width)
    const wanted = 'inputs' in step ? step.inputs : step.width
    if (wanted !== current)
      throw fault('config.value', {
        place: step.place,
        what: 'the module does not fit the width before it',
        seen: wanted,
        wanted: current,
      })
    return 'outputs' in step ? step.outputs : current
  }, width)
}

/**
 * The steps in order, on pooled vectors [rows × width] → [rows × last width]. The input is not changed. Throws
 * `config.value` when widths do not fit.
 */
export function applyModules(steps: readonly ModuleStep[], pooled: Matrix): Matrix {
  laterWidth(steps, pooled.width)
  return steps.reduce((current, step) => {
    switch (step.kind) {
      case 'normalize':
        return normalize(current)
      case 'dense':
        return dense(step, current)
      case 'layer-norm':
        return layerNorm(step, current)
      case 'truncate':
        return firstColumns(current, step.width)
      case 'auto-encoder':
        return autoEncode(step, current)
      case 'most-active':
        return mostActive(step, current)
      default:
        return step satisfies never
    }
  }, pooled)
}

/** Rows of length 1; F.normalize: x / max(‖x‖, 1e-12), so zeros stay zeros. */
function normalize(input: Matrix): Matrix {
  const out = matrix(input.rows, input.width)
  for (let r = 0; r < input.rows; r++) {
    const values = row(input, r)
    let squares = 0
    for (const value of values) squares += value * value
    const scale = 1 / Math.max(Math.sqrt(squares), 1e-12)
    const target = row(out, r)
    for (let i = 0; i < values.length; i++) target[i] = (values[i] ?? 0) * scale
  }
  return out
}

function firstColumns(input: Matrix, width: number): Matrix {
  if (width >= input.width) return input
  const out = matrix(input.rows, width)
  for (let r = 0; r < input.rows; r++) row(out, r).set(row(input, r).subarray(0, width))
  return out
}

/** act(x Wᵀ + b), and the residual after the activation. */
function dense({ inputs, outputs, weight, bias, activation, residual }: DenseStep, input: Matrix): Matrix {
  const act = activate(activation)
  const out = matrix(input.rows, outputs)
  const wide = new Float64Array(inputs)
  for (let r = 0; r < input.rows; r++) {
    wide.set(row(input, r))
    const target = row(out, r)
    for (let o = 0; o < outputs; o++) {
      const value = Math.fround(dot(wide, weight, o * inputs) + (bias?.[o] ?? 0))
      target[o] = Math.fround(act(value)) + skipped(wide, o, residual)
    }
  }
  return out
}

/** What the residual adds to output `o`: nothing, the input itself, or its projection. */
function skipped(input: Float64Array, o: number, residual: DenseStep['residual']): number {
  if (residual === undefined) return 0
  return residual === 'input' ? (input[o] ?? 0) : dot(input, residual, o * input.length)
}

/** Σ a[i] · b[start + i], four sums at once. */
function dot(a: Float64Array, b: Float32Array, start: number): number {
  let [s0, s1, s2, s3] = [0, 0, 0, 0]
  let i = 0
  for (; i + 3 < a.length; i += 4) {
    s0 += (a[i] ?? 0) * (b[start + i] ?? 0)
    s1 += (a[i + 1] ?? 0) * (b[start + i + 1] ?? 0)
    s2 += (a[i + 2] ?? 0) * (b[start + i + 2] ?? 0)
    s3 += (a[i + 3] ?? 0) * (b[start + i + 3] ?? 0)
  }
  for (; i < a.length; i++) s0 += (a[i] ?? 0) * (b[start + i] ?? 0)
  return s0 + s1 + (s2 + s3)
}

/** torch.nn.LayerNorm with its default epsilon; the variance is that of the row itself (ddof 0). */
function layerNorm({ width, weight, bias }: LayerNormStep, input: Matrix): Matrix {
  const out = matrix(input.rows, width)
  for (let r = 0; r < input.rows; r++) {
    const values = row(input, r)
    let sum = 0
    for (const value of values) sum += value
    const mean = sum / width
    let squares = 0
    for (const value of values) squares += (value - mean) ** 2
    const scale = 1 / Math.sqrt(squares / width + 1e-5)
    const target = row(out, r)
    for (let i = 0; i < width; i++) target[i] = ((values[i] ?? 0) - mean) * scale * (weight[i] ?? 0) + (bias[i] ?? 0)
  }
  return out
}

function width(config: JsonFields, name: string): number {
  const value = countOf(config, name)
  if (value > maxWidth)
    throw fault('format.limit', {
      place: `${config.place} › ${name}`,
      what: 'too wide',
      seen: value,
      wanted: `at most ${maxWidth}`,
    })
  return value
}
