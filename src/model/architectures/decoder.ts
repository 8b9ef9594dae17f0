/**
 * What decoders after LLaMA have in common: RMS norm before each half, rotary positions, grouped keys, a gated MLP.
 * Families change what they do otherwise.
 */
import type { ConfigReader, Key } from './config-reader.ts'
import type { FamilySpec } from './family.ts'
import { causalHead, scoreHead } from './heads.ts'
import { readRotary, type RotaryOptions } from './rotary.ts'
import type { MlpSpec, NormSpec } from './spec.ts'
import { readGroupedHeads, readSizes, readWidth } from './sizes.ts'

/** Values of transformers' configuration class where config.json leaves them out. */
export interface DecoderDefaults {
  readonly maxTokens: number
  readonly maxTokensKey?: Key
  readonly tied?: boolean
  readonly keyHeads?: number
  readonly headWidth?: number
  readonly epsilon?: number
  readonly innerKey?: Key
  readonly epsilonKey?: Key
  readonly layersKey?: Key
  readonly padId?: number
  /** Whether q, k and v have biases, and MLPs. */
  readonly bias?: boolean
  readonly biasKey?: Key
  readonly mlpBias?: boolean
  readonly mlpBiasKey?: Key
  /** Columns of the MLP, where layers differ and the family reads them itself. */
  readonly mlpWidth?: number
  readonly activationKey?: Key
  readonly activation?: string
  readonly base?: number | undefined
  readonly rotary?: Omit<RotaryOptions, 'headWidth'>
}

export interface Decoder extends FamilySpec {
  readonly attention: FamilySpec['attention'] & { readonly headWidth: number; readonly keyHeads: number }
  readonly mlp: Extract<FamilySpec['mlp'], { kind: 'gated' }> & { readonly bias: boolean }
}

export function readDecoder(config: ConfigReader, defaults: DecoderDefaults): Decoder {
  const {
    maxTokens,
    tied = false,
    keyHeads: usualKeyHeads,
    headWidth: usualWidth,
    epsilon = 1e-6,
    innerKey = 'intermediate_size',
    activationKey = 'hidden_act',
    activation = 'silu',
    biasKey = 'attention_bias',
    mlpBiasKey = 'mlp_bias',
  } = defaults
  const sizes = readSizes(config, defaults.layersKey === undefined ? {} : { layers: defaults.layersKey })
  const { layers, width, heads, vocabulary } = sizes
  const { keyHeads, headWidth } = readGroupedHeads(config, sizes, {
    ...(usualKeyHeads === undefined || config.isNull('num_key_value_heads') ? {} : { keyHeads: usualKeyHeads }),
    headWidth: usualWidth,
  })
  const bias = config.flag(biasKey, defaults.bias ?? false)
  const rotary = readRotary(config, { headWidth, base: defaults.base, ...defaults.rotary })
  return {
    layers,
    width,
    vocabulary,
    causal: looksBack(config),
    maxTokens: config.int(defaults.maxTokensKey ?? 'max_position_embeddings', maxTokens),
    padId: readPad(config, defaults.padId),
    norm: {
      kind: 'rms',
      epsilon: config.epsilon(defaults.epsilonKey ?? 'rms_norm_eps', epsilon),
      weight: 'plain',
      bias: false,
    },
    placement: 'before',
    attention: {
      heads,
      keyHeads,
      headWidth,
      bias: { qkv: bias, out: bias },
      positions: { kind: 'rotary', tables: [rotary] },
    },
    mlp: {
      kind: 'gated',
      layout: 'separate',
      activation: config.activation(activationKey, activation),
      width: defaults.mlpWidth ?? readWidth(config, innerKey),
      bias: config.flag(mlpBiasKey, defaults.mlpBias ?? false),
    },
    final: { norm: true },
    heads: { causal: causalHead({ tied: config.flag('tie_word_embeddings', tied) }), sequence: scoreHead },
  }
}

/** Classes of decoders whose tokens see those after them too: LLM2Vec's (BehnamGhader et al. 2024), NVIDIA's. */
const bidirectionalClasses = /(?:Bi|Bidirectional|LlamaEncoder|MistralEncoder)(?:Model|ForMNTP)$/

/** False for a decoder made an encoder: `is_causal: false`, which transformers follows in every such model, or its class. */
export function looksBack(config: ConfigReader): boolean {
  const [className] = config.list('architectures') ?? []
  return config.flag('is_causal', true) && !(typeof className === 'string' && bidirectionalClasses.test(className))
}

/** The pad id: null means none, a missing key what the family's configuration class says. */
function readPad(config: ConfigReader, usual: number | undefined): number | undefined {
  return config.isNull('pad_token_id') ? undefined : (config.optionalInt('pad_token_id', { min: -1 }) ?? usual)
}

/** A decoder's MLP of two matrices in place of three. */
export function plainMlp({ activation, width, bias }: Decoder['mlp']): Extract<MlpSpec, { kind: 'plain' }> {
  return { kind: 'plain', activation, width, bias }
}

/** A decoder's norm as LayerNorm with a weight, and a bias unless said otherwise. */
export function layerNorm({ epsilon }: NormSpec, bias = true): NormSpec {
  return { kind: 'layer', epsilon, weight: 'plain', bias }
}

/** The decoder's rotary positions with pairs next to each other (2i, 2i + 1). */
export function interleaved({ attention }: Decoder): Decoder['attention'] {
  const { positions } = attention
  if (positions.kind !== 'rotary') return attention
  const tables = positions.tables.map((table) => ({ ...table, interleaved: true }))
  return { ...attention, positions: { kind: 'rotary', tables } }
}

/**
 * `sliding_window` where every layer has it: null means none, a missing key what the family's configuration class says.
 */
export function readWindow(config: ConfigReader, usual: number | undefined): number | undefined {
  if (config.isNull('sliding_window')) return undefined
  const window = config.optionalInt('sliding_window') ?? usual
  return window === undefined ? undefined : widenWindow(config, window)
}

/** A window to both sides includes its last token, one backwards does not. */
export function widenWindow(config: ConfigReader, window: number): number {
  return looksBack(config) ? window : window + 1
}
