/** EuroBERT (Boizard et al. 2025): LLaMA's blocks as an encoder. */
import { readDecoder } from '../decoder.ts'
import type { Family } from '../family.ts'
import type { HeadSpec, HeadStep } from '../spec.ts'
import { llama } from './llama.ts'

export const eurobert = {
  title: 'EuroBERT',
  notes: 'LLaMA that sees both sides; masked head of one matrix, classifier before or after pooling',
  modelTypes: ['eurobert'],
  classes: ['EuroBert'],
  spec: (config) => {
    const decoder = readDecoder(config, { maxTokens: 8192, epsilon: 1e-5 })
    const { width } = decoder
    const classify: readonly HeadStep[] = [
      { do: 'linear', slot: 'head.sequence.dense', out: width, bias: true },
      { do: 'activation', activation: 'gelu' },
      { do: 'linear', slot: 'head.sequence.out', out: 'labels', bias: true },
    ]
    const classifiers = {
      bos: { from: 'first', steps: classify },
      mean: { from: 'mean', steps: classify },
      late: { from: 'tokens', steps: [...classify, { do: 'mean' }] },
    } as const satisfies Record<string, HeadSpec>
    // `clf_pooling` is what the repositories' own code calls it.
    const pooling = config.choice(['classifier_pooling', 'clf_pooling'], ['bos', 'mean', 'late'], 'late')
    return {
      ...decoder,
      causal: false,
      padId: config.int('pad_token_id', 128_001, { min: -1 }),
      heads: {
        sequence: classifiers[pooling],
        masked: {
          from: 'tokens',
          steps: [
            {
              do: 'vocabulary',
              slot: 'head.masked.decoder',
              tied: config.flag('tie_word_embeddings', false),
              bias: config.flag('mlp_bias', false) ? 'head.masked.bias' : undefined,
            },
          ],
        },
      },
    }
  },
  prefixes: llama.prefixes,
  tensors: {
    ...llama.tensors,
    'head.sequence.dense': { outside: 'dense.*' },
    'head.sequence.out': { outside: 'classifier.*' },
    'head.masked.decoder': { outside: 'lm_head.weight' },
    'head.masked.bias': { outside: 'lm_head.bias' },
  },
} as const satisfies Family
