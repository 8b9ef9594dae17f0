/** CANINE (Clark et al. 2022): characters by hashes, most of the blocks on a row for every few of them. */
import type { ConfigReader } from '../config-reader.ts'
import type { Family } from '../family.ts'
import { limits, readWidth } from '../sizes.ts'
import { bert, bertHeads, bertNorm } from './bert.ts'

/** Code points of Unicode, and the primes of its hashes. */
const codePoints = 0x11_00_00
const primes = [31, 43, 59, 61, 73, 97, 103, 113, 137, 149, 157, 173, 181, 193, 211, 223]

export const canine = {
  title: 'CANINE',
  notes:
    'code points hashed into tables, a block of local attention, a strided convolution, BERT’s blocks on fewer rows, a convolution back and one more block; hidden states are those with a row for every character: embeddings, first block, input and output of the last',
  modelTypes: ['canine'],
  classes: ['Canine'],
  spec: (config) => {
    const width = readWidth(config, 'hidden_size')
    const heads = config.int('num_attention_heads', 12, { max: limits.heads })
    const inner = config.int('num_hidden_layers', 12, { max: limits.layers })
    const activation = config.activation('hidden_act', 'gelu')
    const rows = config.int('num_hash_buckets', 16_384, { max: limits.vocabulary })
    const chunk = config.int('local_transformer_stride', 128)
    const { pooler, sequence } = bertHeads(width)
    const norm = bertNorm(config)
    return {
      layers: 3,
      blockCount: inner + 2,
      stateNames: { after: 1, skipped: inner + 1 },
      width,
      vocabulary: codePoints,
      norm,
      causal: false,
      maxTokens: Math.min(config.int('max_position_embeddings', 16_384), rows),
      padId: config.int('pad_token_id', 0, { min: -1 }),
      embedding: {
        rows,
        hashed: { primes: readPrimes(config, width) },
        positions: { from: 'columns', rows },
        tokenTypes: config.int('type_vocab_size', 16),
        norm,
      },
      placement: 'after-add',
      attention: { heads, bias: { qkv: true, out: true }, positions: { kind: 'none' } },
      mlp: {
        kind: 'plain',
        activation,
        width: config.int('intermediate_size', 3072, { max: limits.width }),
        bias: true,
      },
      shorter: {
        kind: 'convolved',
        after: 1,
        rate: config.int('downsampling_rate', 4, { max: 1024 }),
        kernel: config.int('upsampling_kernel_size', 4, { max: 1024 }),
        activation,
      },
      block: (index) => {
        if (index === 0) return { i: 0, part: 'initial_char_encoder', chunk }
        if (index === inner + 1) return { i: 0, part: 'final_char_encoder' }
        return { i: index - 1, part: 'encoder', state: false, inside: 1 }
      },
      heads: { pooler: { ...pooler, from: 'first-inside' }, sequence: { ...sequence, from: 'first-inside' } },
    }
  },
  prefixes: ['', 'canine.'],
  tensors: {
    'embed.token': 'char_embeddings.HashBucketCodepointEmbedder_{j}.weight',
    'embed.position': 'char_embeddings.char_position_embeddings.weight',
    'embed.type': 'char_embeddings.token_type_embeddings.weight',
    'embed.norm': 'char_embeddings.LayerNorm.*',
    'inside.narrow': 'chars_to_molecules.conv.*',
    'inside.narrow.norm': 'chars_to_molecules.LayerNorm.*',
    'inside.widen': 'projection.conv.*',
    'inside.widen.norm': 'projection.LayerNorm.*',
    'block.attention.q': '{p}.layer.{i}.attention.self.query.*',
    'block.attention.k': '{p}.layer.{i}.attention.self.key.*',
    'block.attention.v': '{p}.layer.{i}.attention.self.value.*',
    'block.attention.out': '{p}.layer.{i}.attention.output.dense.*',
    'block.norm1': '{p}.layer.{i}.attention.output.LayerNorm.*',
    'block.mlp.in': '{p}.layer.{i}.intermediate.dense.*',
    'block.mlp.out': '{p}.layer.{i}.output.dense.*',
    'block.norm2': '{p}.layer.{i}.output.LayerNorm.*',
    pooler: bert.tensors.pooler,
    'head.sequence.out': bert.tensors['head.sequence.out'],
  },
} as const satisfies Family

function readPrimes(config: ConfigReader, width: number): readonly number[] {
  const count = config.int('num_hash_functions', 8, { max: primes.length })
  if (width % count !== 0) throw config.refuse('num_hash_functions', `does not divide the width ${width}`)
  return primes.slice(0, count)
}
