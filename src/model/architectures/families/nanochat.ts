/** nanochat (Karpathy 2025): norms without weights, one right after the embedding, squared ReLU, capped logits. */
import { plainMlp, readDecoder } from '../decoder.ts'
import type { Family } from '../family.ts'
import { causalHead } from '../heads.ts'
import type { NormSpec } from '../spec.ts'
import { capStep, readCap } from './gemma2.ts'
import { llama } from './llama.ts'

export const nanochat = {
  title: 'nanochat',
  notes:
    'RMS norms without weights (one on the embeddings), rotation the other way, q and k normed after it, capped logits',
  modelTypes: ['nanochat'],
  classes: ['NanoChat'],
  spec: (config) => {
    const decoder = readDecoder(config, { maxTokens: 2048, padId: 1, activation: 'relu2' })
    const norm: NormSpec = { ...decoder.norm, weight: 'none' }
    const { positions } = decoder.attention
    const tables = positions.kind === 'rotary' ? positions.tables : []
    return {
      ...decoder,
      norm,
      embedding: { norm },
      attention: {
        ...decoder.attention,
        positions: { kind: 'rotary', tables: tables.map((table) => ({ ...table, reversed: true })) },
        queryKeyNorm: { over: 'head', norm, place: 'after-rotary' },
      },
      mlp: { ...plainMlp(decoder.mlp), bias: false },
      heads: {
        causal: causalHead({
          tied: config.flag('tie_word_embeddings', false),
          after: capStep(readCap(config, 'final_logit_softcapping', 15)),
        }),
      },
    }
  },
  prefixes: llama.prefixes,
  tensors: {
    ...llama.tensors,
    'block.mlp.in': 'layers.{i}.mlp.fc1.*',
    'block.mlp.out': 'layers.{i}.mlp.fc2.*',
  },
} as const satisfies Family
