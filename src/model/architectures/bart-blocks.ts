/** What BART and its relatives have in common, encoder or decoder: sizes, positions, places of norms. */
import type { ConfigReader } from './config-reader.ts'
import type { Family, FamilySpec } from './family.ts'
import { causalHead } from './heads.ts'
import { dividedWidth, readSizes, readWidth } from './sizes.ts'
import type { LearnedPositions } from './spec.ts'

export type BartSide = 'encoder' | 'decoder'

/** How a relative is wired, and values of its configuration class where config.json leaves them out. */
export interface BartWiring {
  readonly norms: 'before' | 'after-add'
  readonly embeddingNorm: boolean
  readonly finalNorm: boolean
  /** True where decoders add positions after the norm of the embeddings. */
  readonly decoderNormFirst?: boolean
  /** Rows of the table before the first position, or positions that are computed where they are not stored. */
  readonly positions: number | 'sinusoid'
  readonly maxTokens: number
  readonly padId: number
  readonly scaled?: boolean
  readonly activation?: string
}

export function bartSpec(config: ConfigReader, side: BartSide, wiring: BartWiring): FamilySpec {
  const keys = {
    layers: side === 'encoder' ? ['encoder_layers', 'num_hidden_layers'] : 'decoder_layers',
    width: ['d_model', 'hidden_size'],
    heads: side === 'encoder' ? ['encoder_attention_heads', 'num_attention_heads'] : 'decoder_attention_heads',
  }
  const { layers, width, heads, vocabulary } = readSizes(config, keys)
  if (side === 'decoder' && config.int('decoder_vocab_size', vocabulary) !== vocabulary)
    throw config.unsupported('decoder_vocab_size', 'differs from vocab_size, which the head of a decoder alone has')
  const maxTokens = config.int('max_position_embeddings', wiring.maxTokens)
  const norm = { kind: 'layer', epsilon: 1e-5, weight: 'plain', bias: true } as const
  return {
    layers,
    width,
    vocabulary,
    norm,
    maxTokens,
    causal: side === 'decoder',
    padId: config.int('pad_token_id', wiring.padId, { min: -1 }),
    embedding: {
      multiplier: config.flag('scale_embedding', wiring.scaled ?? false) ? Math.sqrt(width) : 1,
      positions: positionTable(wiring.positions, maxTokens, width),
      norm: wiring.embeddingNorm ? norm : undefined,
      normFirst: side === 'decoder' && wiring.decoderNormFirst === true,
    },
    placement: wiring.norms,
    attention: {
      heads,
      headWidth: dividedWidth(config, width, heads, keys.heads),
      bias: { qkv: true, out: true },
      positions: { kind: 'none' },
    },
    mlp: {
      kind: 'plain',
      activation: config.activation('activation_function', wiring.activation ?? 'gelu'),
      width: readWidth(config, `${side}_ffn_dim`),
      bias: true,
    },
    final: { norm: wiring.finalNorm },
    heads: side === 'encoder' ? {} : { causal: causalHead({ tied: config.flag('tie_word_embeddings', true) }) },
  }
}

function positionTable(positions: BartWiring['positions'], maxTokens: number, width: number): LearnedPositions {
  return positions === 'sinusoid'
    ? { from: 'columns', rows: maxTokens, sinusoids: { spacing: width / 2, zero: undefined } }
    : { from: 'columns', rows: maxTokens + positions, offset: positions }
}

/** Names of one side, which its prefix tells from the other's; a whole checkpoint has one table of tokens for both. */
export const bartTensors = {
  'embed.token': {
    outside: [
      'model.shared.weight',
      'shared.weight',
      'model.encoder.embed_tokens.weight',
      'encoder.embed_tokens.weight',
      'model.decoder.embed_tokens.weight',
      'decoder.embed_tokens.weight',
    ],
  },
  'embed.position': 'embed_positions.weight',
  'embed.norm': 'layernorm_embedding.*',
  'block.attention.q': 'layers.{i}.self_attn.q_proj.*',
  'block.attention.k': 'layers.{i}.self_attn.k_proj.*',
  'block.attention.v': 'layers.{i}.self_attn.v_proj.*',
  'block.attention.out': 'layers.{i}.self_attn.out_proj.*',
  'block.norm1': 'layers.{i}.self_attn_layer_norm.*',
  'block.mlp.in': 'layers.{i}.fc1.*',
  'block.mlp.out': 'layers.{i}.fc2.*',
  'block.norm2': 'layers.{i}.final_layer_norm.*',
  'final.norm': 'layer_norm.*',
  'head.causal': { outside: 'lm_head.weight' },
} as const satisfies Family['tensors']

interface BartNames {
  readonly title: string
  readonly notes: string
  readonly modelType: string
  /** Stem of its classes. */
  readonly stem: string
  /** Stems besides that. */
  readonly classes?: readonly string[]
  readonly wiring: BartWiring
}

const decoderNotes = 'a decoder alone, without the states of an encoder'

/** The encoder of whole checkpoints, and the family of those that hold a decoder alone. */
export function bartFamilies({ title, notes, modelType, stem, classes = [], wiring }: BartNames): {
  readonly encoder: Family
  readonly decoder: Family
} {
  const shared = { modelTypes: [modelType], tensors: bartTensors }
  return {
    encoder: {
      ...shared,
      title: `${title} (encoder)`,
      notes,
      classes: [stem, ...classes],
      spec: (config) => bartSpec(config, 'encoder', wiring),
      prefixes: ['model.encoder.', 'encoder.', ''],
      depth: { count: ['encoder_layers', 'num_hidden_layers'] },
      encoderClass: `${stem}Encoder`,
    },
    decoder: {
      ...shared,
      title: `${title} (decoder)`,
      notes: decoderNotes,
      classes: [stem],
      only: [`${stem}ForCausalLM`],
      spec: (config) => bartSpec(config, 'decoder', wiring),
      prefixes: ['model.decoder.', 'decoder.', ''],
      depth: { count: ['decoder_layers'] },
    },
  }
}
