/**
 * T5's decoder (Raffel et al. 2020): buckets of distance behind the query, attention to the encoder's states, a head
 * that scales states first where it is tied.
 */
import type { DecoderSource } from '../family.ts'
import { causalHead } from '../heads.ts'
import { limits } from '../sizes.ts'
import { t5Spec } from '../t5-blocks.ts'

/** Values of transformers' configuration classes where config.json leaves them out. */
export interface T5Defaults {
  readonly feedForward: string
  readonly tied: boolean
}

export function t5Decoder({ feedForward, tied: usuallyTied }: T5Defaults): DecoderSource {
  return {
    title: 'T5 (decoder)',
    spec(config) {
      const encoder = t5Spec(config, feedForward)
      const { width, attention } = encoder
      const { positions } = attention
      // all buckets lie behind the query, and half of them are exact
      if (positions.kind === 'buckets' && positions.maxDistance <= Math.floor(positions.buckets / 2))
        throw config.refuse(
          'relative_attention_max_distance',
          'leaves no room for the logarithmic buckets',
          `> ${Math.floor(positions.buckets / 2)}`,
        )
      const tied = config.flag('tie_word_embeddings', usuallyTied)
      return {
        ...encoder,
        layers: config.int('num_decoder_layers', encoder.layers, { max: limits.layers }),
        causal: true,
        // no bound of the model's: what its makers trained it with
        maxTokens: config.optionalInt(['n_positions', 'max_position_embeddings', 'n_ctx']),
        cross: { width, heads: attention.heads, headWidth: attention.headWidth },
        heads: {
          // mT5 never scales, whatever its config ties; transformers 5 writes every T5 as tied, and whether it scales
          causal: causalHead({
            tied,
            before:
              usuallyTied && config.flag('scale_decoder_outputs', tied) ? [{ do: 'scale', by: width ** -0.5 }] : [],
          }),
        },
      }
    },
    startId: (config) =>
      config.int('decoder_start_token_id', Math.max(0, config.int('pad_token_id', 0, { min: -1 })), {
        min: 0,
        max: config.int('vocab_size') - 1,
      }),
    prefixes: ['', 'transformer.'],
    tensors: {
      'embed.token': ['shared.weight', 'decoder.embed_tokens.weight', 'encoder.embed_tokens.weight'],
      'relative.bias': 'decoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight',
      'block.norm1': 'decoder.block.{i}.layer.0.layer_norm.*',
      'block.attention.q': 'decoder.block.{i}.layer.0.SelfAttention.q.*',
      'block.attention.k': 'decoder.block.{i}.layer.0.SelfAttention.k.*',
      'block.attention.v': 'decoder.block.{i}.layer.0.SelfAttention.v.*',
      'block.attention.out': 'decoder.block.{i}.layer.0.SelfAttention.o.*',
      'block.cross.norm': 'decoder.block.{i}.layer.1.layer_norm.*',
      'block.cross.q': 'decoder.block.{i}.layer.1.EncDecAttention.q.*',
      'block.cross.k': 'decoder.block.{i}.layer.1.EncDecAttention.k.*',
      'block.cross.v': 'decoder.block.{i}.layer.1.EncDecAttention.v.*',
      'block.cross.out': 'decoder.block.{i}.layer.1.EncDecAttention.o.*',
      'block.norm2': 'decoder.block.{i}.layer.2.layer_norm.*',
      'block.mlp.in': 'decoder.block.{i}.layer.2.DenseReluDense.wi.*',
      'block.mlp.gate': 'decoder.block.{i}.layer.2.DenseReluDense.wi_0.*',
      'block.mlp.up': 'decoder.block.{i}.layer.2.DenseReluDense.wi_1.*',
      'block.mlp.out': 'decoder.block.{i}.layer.2.DenseReluDense.wo.*',
      'final.norm': 'decoder.final_layer_norm.*',
      'head.causal': { outside: 'lm_head.weight' },
    },
  }
}
