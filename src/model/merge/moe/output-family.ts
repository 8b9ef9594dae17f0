/** What a mixture's output family must say about itself. */

export interface MoeRequest {
  /** `model_type` of the base, the experts and the shared experts, in that order. */
  readonly modelTypes: readonly string[]
  readonly experts: number
  readonly shared: number
  /** Shared experts have prompts. */
  readonly sharedPrompts: boolean
  readonly randomGates: boolean
  readonly expertsPerToken: number
}

type Config = Readonly<Record<string, unknown>>

export interface OutputFamily {
  /** As mergekit-moe calls it: `architecture` in a configuration is the beginning of this name, in any case. */
  readonly name: string
  readonly reference: string
  /** Why a request cannot be met; undefined when it can. */
  refusal(request: MoeRequest): string | undefined
  /** config.json, from the base's with its class's defaults written out. */
  config(base: Config, request: MoeRequest): Record<string, unknown>
  /** Names of a layer's tensors; `part` is gate_proj, up_proj or down_proj. */
  expert(layer: string, index: number, part: string): string
  shared(layer: string, part: string): string
  gate(layer: string): string
  /** Gate of the shared expert, where the family has one. */
  readonly sharedGate: ((layer: string) => string) | undefined
  /** Tensors of the base's layers that the family has no place for, besides the feed-forward ones. */
  readonly unfit: RegExp
  /** Biases that the family wants and older families lack: zeros. */
  readonly zeroBiases: readonly string[]
}

export function sameType(types: readonly string[], known: readonly string[]): string | undefined {
  const distinct = [...new Set(types)]
  if (distinct.length > 1) return `the models differ in kind: ${distinct.join(', ')}`
  return known.includes(distinct[0] ?? '') ? undefined : `made of ${distinct.join()} models, not of ${known.join(', ')}`
}

/**
 * What each class of transformers takes where a config.json says nothing: the output's class would take something else.
 */
const defaults: Readonly<Record<string, Config>> = {
  llama: {
    rms_norm_eps: 1e-6,
    rope_theta: 10_000,
    max_position_embeddings: 2048,
    hidden_act: 'silu',
    attention_bias: false,
    tie_word_embeddings: false,
    attention_dropout: 0,
    bos_token_id: 1,
    eos_token_id: 2,
  },
  mistral: {
    rms_norm_eps: 1e-6,
    rope_theta: 10_000,
    max_position_embeddings: 131_072,
    num_key_value_heads: 8,
    hidden_act: 'silu',
    tie_word_embeddings: false,
    attention_dropout: 0,
    bos_token_id: 1,
    eos_token_id: 2,
  },
  qwen2: {
    rms_norm_eps: 1e-6,
    rope_theta: 10_000,
    max_position_embeddings: 32_768,
    num_key_value_heads: 32,
    hidden_act: 'silu',
    tie_word_embeddings: false,
    attention_dropout: 0,
  },
  qwen3: {
    rms_norm_eps: 1e-6,
    rope_theta: 10_000,
    max_position_embeddings: 32_768,
    num_key_value_heads: 32,
    head_dim: 128,
    hidden_act: 'silu',
    attention_bias: false,
    tie_word_embeddings: false,
    attention_dropout: 0,
  },
}

/** The base's config with its class's defaults; what only its own class or code understands is left out. */
export function plainConfig(base: Config): Record<string, unknown> {
  const rope = base['rope_parameters']
  const theta = typeof rope === 'object' && rope !== null ? (rope as Config)['rope_theta'] : undefined
  const config: Record<string, unknown> = {
    ...defaults[String(base['model_type'])],
    ...(theta === undefined ? {} : { rope_theta: theta }),
    ...base,
  }
  config['num_key_value_heads'] ??= config['num_attention_heads']
  for (const key of ['_name_or_path', 'auto_map', 'pretraining_tp', 'mlp_bias', 'dtype']) delete config[key]
  return config
}
