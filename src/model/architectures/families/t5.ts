/**
 * T5 (Raffel et al. 2020), its encoder: RMS norm, bucketed relative bias of the first layer, scores that are not
 * scaled.
 */
import type { Family } from '../family.ts'
import { layerKeys, t5Spec } from '../t5-blocks.ts'
import { t5Decoder } from './t5-decoder.ts'

export const t5 = {
  title: 'T5 (encoder)',
  notes:
    'vectors of the encoder; the decoder of whole checkpoints as a language model: RMS norm, relative bias of layer 0 for all layers, unscaled scores, plain or gated MLP',
  modelTypes: ['t5'],
  classes: ['T5'],
  spec: (config) => t5Spec(config, 'relu'),
  prefixes: ['', 'transformer.'],
  tensors: {
    'embed.token': ['shared.weight', 'encoder.embed_tokens.weight'],
    'relative.bias': 'encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight',
    'block.norm1': 'encoder.block.{i}.layer.0.layer_norm.*',
    'block.attention.q': 'encoder.block.{i}.layer.0.SelfAttention.q.*',
    'block.attention.k': 'encoder.block.{i}.layer.0.SelfAttention.k.*',
    'block.attention.v': 'encoder.block.{i}.layer.0.SelfAttention.v.*',
    'block.attention.out': 'encoder.block.{i}.layer.0.SelfAttention.o.*',
    'block.norm2': 'encoder.block.{i}.layer.1.layer_norm.*',
    'block.mlp.in': 'encoder.block.{i}.layer.1.DenseReluDense.wi.*',
    'block.mlp.gate': 'encoder.block.{i}.layer.1.DenseReluDense.wi_0.*',
    'block.mlp.up': 'encoder.block.{i}.layer.1.DenseReluDense.wi_1.*',
    'block.mlp.out': 'encoder.block.{i}.layer.1.DenseReluDense.wo.*',
    'final.norm': 'encoder.final_layer_norm.*',
  },
  depth: { count: layerKeys },
  encoderClass: 'T5EncoderModel',
  decoder: t5Decoder({ feedForward: 'relu', tied: true }),
} as const satisfies Family
