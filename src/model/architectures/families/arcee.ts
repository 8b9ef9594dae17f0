/** AFM (Arcee AI 2025): LLaMA with a plain MLP and squared ReLU. */
import { plainMlp, readDecoder } from '../decoder.ts'
import type { Family } from '../family.ts'
import { nemotron } from './nemotron.ts'

export const arcee = {
  title: 'Arcee (AFM)',
  notes: 'as LLaMA with a plain MLP and squared ReLU',
  modelTypes: ['arcee'],
  classes: ['Arcee'],
  spec: (config) => {
    const decoder = readDecoder(config, { maxTokens: 4096, epsilon: 1e-5, activation: 'relu2' })
    return { ...decoder, mlp: plainMlp(decoder.mlp) }
  },
  prefixes: nemotron.prefixes,
  tensors: nemotron.tensors,
} as const satisfies Family
