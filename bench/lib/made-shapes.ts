/**
 * Checkpoints of well-known shapes with seeded weights, and a real tokenizer: what a pass costs does not depend on what
 * the numbers mean.
 */
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeModel } from './made-model.ts'
import { model as carriedModel, scratchFolder } from './places.ts'

type Tensors = readonly (readonly [name: string, dims: readonly number[]])[]

export interface Shape {
  readonly config: Record<string, unknown>
  readonly tensors: Tensors
}

export interface BertSizes {
  readonly width: number
  readonly layers: number
  readonly positions?: number
}

/** Heads of 64, an inner width of four times the width; BERT-base is 768 wide and 12 layers deep. */
export function bertShape({ width, layers, positions = 512 }: BertSizes): Shape {
  const vocabulary = 30_522
  return {
    config: {
      architectures: ['BertModel'],
      model_type: 'bert',
      ...encoderConfig({ width, layers, positions, vocabulary, types: 2 }),
      layer_norm_eps: 1e-12,
      pad_token_id: 0,
    },
    tensors: [
      ...encoderTensors({ width, layers, positions, vocabulary, types: 2 }),
      ...dense('pooler.dense', width, width),
    ],
  }
}

/** XLM-R base with a head for these labels: 0.28 B parameters, 0.19 B of them in the table of tokens. */
export function xlmRobertaShape(labels: readonly string[]): Shape {
  const sizes = { width: 768, layers: 12, positions: 514, vocabulary: 250_002, types: 1 }
  return {
    config: {
      architectures: ['XLMRobertaForSequenceClassification'],
      model_type: 'xlm-roberta',
      ...encoderConfig(sizes),
      layer_norm_eps: 1e-5,
      bos_token_id: 0,
      pad_token_id: 1,
      eos_token_id: 2,
      id2label: Object.fromEntries(labels.entries()),
      label2id: Object.fromEntries(labels.map((label, i) => [label, i])),
    },
    tensors: [
      ...encoderTensors(sizes).map(([name, dims]) => [`roberta.${name}`, dims] as const),
      ...dense('classifier.dense', sizes.width, sizes.width),
      ...dense('classifier.out_proj', labels.length, sizes.width),
    ],
  }
}

interface EncoderSizes extends Required<BertSizes> {
  readonly vocabulary: number
  readonly types: number
}

function encoderConfig({ width, layers, positions, vocabulary, types }: EncoderSizes): Record<string, unknown> {
  return {
    hidden_size: width,
    num_hidden_layers: layers,
    num_attention_heads: width / 64,
    intermediate_size: 4 * width,
    vocab_size: vocabulary,
    max_position_embeddings: positions,
    type_vocab_size: types,
    hidden_act: 'gelu',
  }
}

function encoderTensors({ width, layers, positions, vocabulary, types }: EncoderSizes): Tensors {
  const inner = 4 * width
  const norm = (name: string): Tensors => [
    [`${name}.weight`, [width]],
    [`${name}.bias`, [width]],
  ]
  return [
    ['embeddings.word_embeddings.weight', [vocabulary, width]],
    ['embeddings.position_embeddings.weight', [positions, width]],
    ['embeddings.token_type_embeddings.weight', [types, width]],
    ...norm('embeddings.LayerNorm'),
    ...Array.from({ length: layers }, (_, i) => {
      const layer = `encoder.layer.${i}`
      return [
        ...['query', 'key', 'value'].flatMap((part) => dense(`${layer}.attention.self.${part}`, width, width)),
        ...dense(`${layer}.attention.output.dense`, width, width),
        ...norm(`${layer}.attention.output.LayerNorm`),
        ...dense(`${layer}.intermediate.dense`, inner, width),
        ...dense(`${layer}.output.dense`, width, inner),
        ...norm(`${layer}.output.LayerNorm`),
      ]
    }).flat(),
  ]
}

/** Qwen2-0.5B: 0.49 B parameters, 0.36 B of them in the blocks. */
export function qwen2Shape(): Shape {
  const [width, inner, layers, vocabulary, keyValue] = [896, 4864, 24, 151_936, 128]
  return {
    config: {
      architectures: ['Qwen2ForCausalLM'],
      model_type: 'qwen2',
      hidden_size: width,
      num_hidden_layers: layers,
      num_attention_heads: 14,
      num_key_value_heads: 2,
      intermediate_size: inner,
      vocab_size: vocabulary,
      max_position_embeddings: 32_768,
      hidden_act: 'silu',
      rms_norm_eps: 1e-6,
      rope_theta: 1_000_000,
      tie_word_embeddings: true,
      use_sliding_window: false,
      pad_token_id: 0,
    },
    tensors: [
      ['model.embed_tokens.weight', [vocabulary, width]],
      ...Array.from({ length: layers }, (_, i): Tensors => {
        const layer = `model.layers.${i}`
        return [
          [`${layer}.input_layernorm.weight`, [width]],
          ...dense(`${layer}.self_attn.q_proj`, width, width),
          ...dense(`${layer}.self_attn.k_proj`, keyValue, width),
          ...dense(`${layer}.self_attn.v_proj`, keyValue, width),
          [`${layer}.self_attn.o_proj.weight`, [width, width]],
          [`${layer}.post_attention_layernorm.weight`, [width]],
          [`${layer}.mlp.gate_proj.weight`, [inner, width]],
          [`${layer}.mlp.up_proj.weight`, [inner, width]],
          [`${layer}.mlp.down_proj.weight`, [width, inner]],
        ]
      }).flat(),
      ['model.norm.weight', [width]],
    ],
  }
}

export interface NeoxSizes {
  readonly width: number
  readonly layers: number
  readonly heads: number
}

/** Pythia-160M: 0.16 B parameters, 0.085 B of them in the blocks. */
const pythia160M: NeoxSizes = { width: 768, layers: 12, heads: 12 }
/** 0.4 B parameters, 0.3 B of them in the blocks. */
export const pythia410M: NeoxSizes = { width: 1024, layers: 24, heads: 16 }

export function neoxShape({ width, layers, heads }: NeoxSizes = pythia160M): Shape {
  const [inner, vocabulary] = [4 * width, 50_304]
  const norm = (name: string): Tensors => [
    [`${name}.weight`, [width]],
    [`${name}.bias`, [width]],
  ]
  return {
    config: {
      architectures: ['GPTNeoXForCausalLM'],
      model_type: 'gpt_neox',
      hidden_size: width,
      num_hidden_layers: layers,
      num_attention_heads: heads,
      intermediate_size: inner,
      vocab_size: vocabulary,
      max_position_embeddings: 2048,
      rotary_pct: 0.25,
      rotary_emb_base: 10_000,
      hidden_act: 'gelu',
      use_parallel_residual: true,
      layer_norm_eps: 1e-5,
      tie_word_embeddings: false,
      bos_token_id: 0,
      eos_token_id: 0,
    },
    tensors: [
      ['gpt_neox.embed_in.weight', [vocabulary, width]],
      ...Array.from({ length: layers }, (_, i): Tensors => {
        const layer = `gpt_neox.layers.${i}`
        return [
          ...norm(`${layer}.input_layernorm`),
          ...norm(`${layer}.post_attention_layernorm`),
          ...dense(`${layer}.attention.query_key_value`, 3 * width, width),
          ...dense(`${layer}.attention.dense`, width, width),
          ...dense(`${layer}.mlp.dense_h_to_4h`, inner, width),
          ...dense(`${layer}.mlp.dense_4h_to_h`, width, inner),
        ]
      }).flat(),
      ...norm('gpt_neox.final_layer_norm'),
      ['embed_out.weight', [vocabulary, width]],
    ],
  }
}

function dense(name: string, out: number, into: number): Tensors {
  return [
    [`${name}.weight`, [out, into]],
    [`${name}.bias`, [out]],
  ]
}

/**
 * The folder of a shape below the scratch folder, made when it is not there, with all-MiniLM-L6-v2's tokenizer and mean
 * pooling: left to itself sentence-transformers takes a decoder's last token.
 */
export function madeCheckpoint(name: string, shape: Shape, options: { seed?: number } = {}): string {
  const folder = scratchFolder('shapes', name)
  if (existsSync(join(folder, 'modules.json'))) return folder
  makeModel(folder, shape.config, shape.tensors, options)
  for (const file of ['tokenizer_config.json', 'tokenizer.json'])
    copyFileSync(join(carriedModel, file), join(folder, file))
  mkdirSync(join(folder, '1_Pooling'), { recursive: true })
  const pooling = {
    word_embedding_dimension: shape.config['hidden_size'],
    pooling_mode_mean_tokens: true,
    pooling_mode_cls_token: false,
  }
  writeFileSync(join(folder, '1_Pooling', 'config.json'), JSON.stringify(pooling))
  const modules = ['Transformer', 'Pooling'].map((type, idx) => ({
    idx,
    name: String(idx),
    path: ['', '1_Pooling'][idx],
    type: `sentence_transformers.models.${type}`,
  }))
  writeFileSync(join(folder, 'modules.json'), JSON.stringify(modules))
  return folder
}

/** A shape with a head for the next token, and the tokenizer of another language model. */
export function madeLanguageModel(name: string, shape: Shape, tokenizer: string): string {
  const folder = scratchFolder('shapes', name)
  if (existsSync(join(folder, 'tokenizer.json'))) return folder
  makeModel(folder, shape.config, shape.tensors)
  copyTokenizer(tokenizer, folder)
  return folder
}

/** Writes a classifier of this seed to `folder` unless it is there, with the tokenizer of another one. */
export function madeClassifier(
  folder: string,
  shape: Shape,
  { tokenizer, seed }: { tokenizer: string; seed: number },
): void {
  if (existsSync(join(folder, 'tokenizer.json'))) return
  makeModel(folder, shape.config, shape.tensors, { seed })
  copyTokenizer(tokenizer, folder)
}

/** The files of it that are there. */
export function copyTokenizer(from: string, to: string): void {
  for (const file of ['special_tokens_map.json', 'tokenizer_config.json', 'tokenizer.json'])
    if (existsSync(join(from, file))) copyFileSync(join(from, file), join(to, file))
}
