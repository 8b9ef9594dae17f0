/** DeepSeek-V3 and R1 (DeepSeek-AI 2024), and models that differ in defaults: latent attention, corrected sigmoid routing. */
import type { ConfigReader } from '../config-reader.ts'
import { type MixtureDefaults, mixtureRows, readMixture } from '../corrected-mixture.ts'
import { readDecoder } from '../decoder.ts'
import type { Family, FamilySpec } from '../family.ts'
import { type LatentDefaults, latentRows, readLatent } from '../latent.ts'
import { llama } from './llama.ts'

export interface DeepseekDefaults {
  readonly maxTokens: number
  readonly epsilon?: number
  readonly latent: LatentDefaults
  readonly mixture: MixtureDefaults
}

/** Decoders of latent attention whose layers are dense first and experts then. */
export function readDeepseek(config: ConfigReader, usual: DeepseekDefaults): FamilySpec {
  const decoder = readDecoder(config, {
    maxTokens: usual.maxTokens,
    headWidth: usual.latent.rotated ?? 64,
    ...(usual.epsilon === undefined ? {} : { epsilon: usual.epsilon }),
  })
  const dense = { ...decoder.mlp, bias: false }
  return {
    ...decoder,
    ...readLatent(config, decoder.attention.heads, usual.latent),
    ...readMixture(config, { ...decoder, mlp: dense }, usual.mixture),
  }
}

export const deepseekV3 = {
  title: 'DeepSeek-V3',
  notes:
    'multi-head latent attention with or without q_lora_rank, interleaved rotary, yarn with mscale; sigmoid routing with e_score_correction_bias and groups, shared experts, dense first layers',
  modelTypes: ['deepseek_v3'],
  classes: ['DeepseekV3'],
  spec: (config) => {
    refuseSparseSteps(config)
    return readDeepseek(config, {
      maxTokens: 4096,
      latent: { queryRank: 1536 },
      mixture: { experts: 256, perToken: 8, width: 2048, shared: 1, dense: 3, scaling: 2.5, groups: 8, chosen: 4 },
    })
  },
  prefixes: llama.prefixes,
  tensors: {
    ...llama.tensors,
    ...latentRows,
    ...mixtureRows,
  },
} as const satisfies Family

/** Keys of the original code that the reference does not read: only their usual values are followed. */
export function refuseSparseSteps(config: ConfigReader): void {
  if (config.int('moe_layer_freq', 1) !== 1)
    throw config.unsupported('moe_layer_freq', 'the reference has experts in every layer after the dense ones')
}
