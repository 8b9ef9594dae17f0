/** UMT5 (Chung et al. 2023): mT5 with a relative bias of each layer's own. */
import type { ConfigReader } from '../config-reader.ts'
import type { DecoderSource, Family, FamilySpec } from '../family.ts'
import { t5Spec } from '../t5-blocks.ts'
import { t5Decoder } from './t5-decoder.ts'
import { t5 } from './t5.ts'

const decoder = t5Decoder({ feedForward: 'gated-gelu', tied: true })

export const umt5 = {
  ...t5,
  title: 'UMT5 (encoder)',
  notes: 'as T5, gated MLP, a relative bias of each layer',
  modelTypes: ['umt5'],
  classes: ['UMT5'],
  spec: (config) => ofEachBlock(t5Spec(config, 'gated-gelu')),
  tensors: {
    ...t5.tensors,
    'relative.bias': 'encoder.block.{i}.layer.0.SelfAttention.relative_attention_bias.weight',
  },
  encoderClass: 'UMT5EncoderModel',
  decoder: {
    ...decoder,
    title: 'UMT5 (decoder)',
    spec: (config: ConfigReader) => ofEachBlock(decoder.spec(config)),
    tensors: {
      ...decoder.tensors,
      'relative.bias': 'decoder.block.{i}.layer.0.SelfAttention.relative_attention_bias.weight',
    },
  } satisfies DecoderSource,
} as const satisfies Family

function ofEachBlock(spec: FamilySpec): FamilySpec {
  const { positions } = spec.attention
  if (positions.kind !== 'buckets') return spec
  return { ...spec, attention: { ...spec.attention, positions: { ...positions, perBlock: true } } }
}
