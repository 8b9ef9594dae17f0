/** Falcon H1 (TII 2025): attention and Mamba-2 side by side in every block, with multipliers nearly everywhere. */
import type { ConfigReader } from '../config-reader.ts'
import { readDecoder } from '../decoder.ts'
import type { Family } from '../family.ts'
import { causalHead } from '../heads.ts'
import { limits } from '../sizes.ts'
import { hybridKeys, readDuality, readExpanded } from '../state-space.ts'
import { bamba } from './bamba.ts'

export const falconH1 = {
  title: 'Falcon H1',
  notes:
    'attention and Mamba-2 read the same norm and are added; multipliers on embeddings, keys, logits, the MLP, both mixers and the parts of the projection in; gated norm only where mamba_rms_norm is on',
  modelTypes: ['falcon_h1'],
  classes: ['FalconH1'],
  spec: (config) => {
    const decoder = readDecoder(config, { maxTokens: 8192, keyHeads: 8, epsilon: 1e-5 })
    const { width, norm } = decoder
    const [gate = 1, out = 1] = readFactors(config, 'mlp_multipliers', 2)
    const ssm = readFactors(config, 'ssm_multipliers', 5)
    const [into, after] = [config.number('ssm_in_multiplier', 1), config.number('ssm_out_multiplier', 1)]
    const inner = config.isNull('mamba_d_ssm')
      ? readExpanded(config, 'mamba_expand', width)
      : config.int('mamba_d_ssm', 1024, { max: limits.width })
    const scan = readDuality(config, hybridKeys, { inner, norm })
    const order = config.flag('mamba_norm_before_gate', true) ? 'norm-first' : 'gate-first'
    return {
      ...decoder,
      padId: config.int('pad_token_id', 0, { min: -1 }),
      embedding: { multiplier: config.number('embedding_multiplier', 1) },
      attention: {
        ...decoder.attention,
        factors: { in: config.number('attention_in_multiplier', 1), out: config.number('attention_out_multiplier', 1) },
      },
      // Positions turn keys, and do not change how long they are.
      scale: decoder.attention.headWidth ** -0.5 * config.number('key_multiplier', 1),
      mlp: { ...decoder.mlp, factors: { gate, out } },
      scan: {
        ...scan,
        bias: { in: scan.bias.in, out: config.flag('projectors_bias', false) },
        norm: config.flag('mamba_rms_norm', false) && scan.norm !== undefined ? { ...scan.norm, order } : undefined,
        factors: { in: into, parts: ssm, out: after },
      },
      heads: {
        causal: causalHead({
          tied: config.flag('tie_word_embeddings', false),
          after: [{ do: 'scale', by: config.number('lm_head_multiplier', 1) }],
        }),
      },
    }
  },
  prefixes: bamba.prefixes,
  tensors: bamba.tensors,
} as const satisfies Family

function readFactors(config: ConfigReader, key: string, count: number): readonly number[] {
  const values = config.numbers(key) ?? Array.from({ length: count }, () => 1)
  if (values.length !== count) throw config.refuse(key, `has ${values.length} numbers`, count)
  return values
}
