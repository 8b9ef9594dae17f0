/** Nyströmformer (Xiong et al. 2021) as it is published: BERT with a convolution of values next to full attention. */
import type { ConfigReader } from '../config-reader.ts'
import type { Family, FamilySpec } from '../family.ts'
import { denseClassifier, maskedHead } from '../heads.ts'
import { bert } from './bert.ts'

export const nystromformer = {
  ...bert,
  title: 'Nyströmformer',
  notes:
    'as BERT, positions from row 2 on, each head adds a convolution of its values, which pads enter as in transformers; landmarks fewer than the segment are refused',
  modelTypes: ['nystromformer'],
  classes: ['Nystromformer'],
  spec: (config) => {
    const landmarks = config.int('num_landmarks', 64)
    if (landmarks !== config.int('segment_means_seq_len', 64))
      throw config.unsupported('num_landmarks', 'landmarks stand only for texts of one length, segment_means_seq_len')
    const spec: FamilySpec = bert.spec(config)
    const { width } = spec
    const norm = { ...spec.norm, epsilon: config.epsilon('layer_norm_eps', 1e-5) }
    const maxTokens = config.int('max_position_embeddings', 510)
    const activation = config.activation('hidden_act', 'gelu_new')
    const kernel = readKernel(config)
    return {
      ...spec,
      norm,
      maxTokens,
      causal: false,
      padId: config.int('pad_token_id', 1, { min: -1 }),
      embedding: { ...spec.embedding, norm, positions: { from: 'columns', rows: maxTokens + 2, offset: 2 } },
      attention: {
        ...spec.attention,
        positions: { kind: 'none' },
        convolution: kernel === undefined ? undefined : { kind: 'per-head', kernel },
      },
      mlp: { kind: 'plain', activation, width: spec.mlp.width, bias: true },
      heads: {
        sequence: denseClassifier(width, activation),
        masked: maskedHead({ width, activation, norm, tied: config.flag('tie_word_embeddings', true) }),
      },
    }
  },
  prefixes: ['', 'nystromformer.'],
  tensors: {
    ...bert.tensors,
    'block.attention.convolution.depth': 'encoder.layer.{i}.attention.self.conv.weight',
    'head.sequence.dense': { outside: 'classifier.dense.*' },
    'head.sequence.out': { outside: 'classifier.out_proj.*' },
  },
} as const satisfies Family

function readKernel(config: ConfigReader): number | undefined {
  if (config.isNull('conv_kernel_size')) return undefined
  const kernel = config.int('conv_kernel_size', 65, { max: 4095 })
  if (kernel % 2 === 0) throw config.refuse('conv_kernel_size', 'would shift the text', 'an odd number')
  return kernel
}
