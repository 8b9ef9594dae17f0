/** ConvBERT (Jiang et al. 2020): ELECTRA with half of its heads replaced by a convolution that depends on the text. */
import type { Family, FamilySpec } from '../family.ts'
import { denseClassifier } from '../heads.ts'
import { limits } from '../sizes.ts'
import { electra } from './electra.ts'

export const convbert = {
  ...electra,
  title: 'ConvBERT',
  notes:
    'as ELECTRA, fewer and narrower heads next to a span-based convolution, optionally grouped MLP; pads enter convolutions, as in transformers',
  modelTypes: ['convbert'],
  classes: ['ConvBert'],
  spec: (config) => {
    const spec: FamilySpec = electra.spec(config)
    const { width } = spec
    if (config.has('position_embedding_type')) config.choice('position_embedding_type', ['absolute'])
    const written = spec.attention.heads
    const ratio = config.int('head_ratio', 2, { max: limits.heads })
    const heads = Math.max(1, Math.floor(written / ratio))
    if (width % (2 * heads) !== 0)
      throw config.refuse('head_ratio', `leaves ${heads} heads, twice which do not divide ${width}`)
    const kernel = config.int('conv_kernel_size', 9, { max: 1024 })
    if (kernel % 2 === 0) throw config.refuse('conv_kernel_size', 'would shift the text', 'an odd number')
    const groups = config.int('num_groups', 1, { max: width })
    const inner = spec.mlp.width
    if (width % groups !== 0 || inner % groups !== 0)
      throw config.refuse('num_groups', 'groups do not divide the widths')
    const embedding = config.int('embedding_size', 768, { max: limits.width })
    return {
      ...spec,
      causal: false,
      padId: config.int('pad_token_id', 1, { min: -1 }),
      embedding: {
        ...spec.embedding,
        width: embedding,
        project: embedding === width ? undefined : { place: 'after-norm', bias: true },
      },
      attention: {
        heads,
        headWidth: width / heads / 2,
        bias: { qkv: true, out: true },
        convolution: { kind: 'dynamic', kernel },
        positions: { kind: 'none' },
      },
      mlp: {
        kind: 'plain',
        activation: config.activation('hidden_act', 'gelu'),
        width: inner,
        bias: true,
        groups: { in: groups, out: groups },
      },
      heads: { ...spec.heads, sequence: denseClassifier(width, config.activation('hidden_act', 'gelu')) },
    }
  },
  prefixes: ['', 'convbert.'],
  tensors: {
    ...electra.tensors,
    'block.attention.convolution.depth': 'encoder.layer.{i}.attention.self.key_conv_attn_layer.depthwise.weight',
    'block.attention.convolution.point': 'encoder.layer.{i}.attention.self.key_conv_attn_layer.pointwise.weight',
    'block.attention.convolution.bias': 'encoder.layer.{i}.attention.self.key_conv_attn_layer.bias',
    'block.attention.convolution.kernel': 'encoder.layer.{i}.attention.self.conv_kernel_layer.*',
    'block.attention.convolution.value': 'encoder.layer.{i}.attention.self.conv_out_layer.*',
  },
} as const satisfies Family
