/** Rotary scaling that a GGUF file keeps as tensors of factors, as a config says it. */
import { fault, type TensorSource } from '#core'
import { readFloat32 } from '#files/formats'
import type { GgufFacts } from './architectures.ts'

/** Llama 3's constants, the same in all its models; only the largest factor differs. */
const llama3 = { low_freq_factor: 1, high_freq_factor: 4, original_max_position_embeddings: 8192 } as const

/**
 * `rope_freqs`: what llama.cpp's converter makes of Llama 3's scaling. Throws `config.unsupported` when the factors are
 * not those of its formula.
 */
export async function scalingOfFactors(
  { metadata, key, sizes: { headWidth } }: GgufFacts,
  tensors: TensorSource,
): Promise<object> {
  const stored = await readFactors(tensors, 'rope_freqs.weight', headWidth / 2)
  const factor = stored.reduce((most, one) => Math.max(most, one), 1)
  const base = metadata.optionalNumber(key('rope.freq_base')) ?? 10_000
  const { low_freq_factor: low, high_freq_factor: high, original_max_position_embeddings: trained } = llama3
  const fits = stored.every((seen, i) => {
    const wavelength = 2 * Math.PI * base ** ((2 * i) / headWidth)
    const smooth = Math.min(1, Math.max(0, (trained / wavelength - low) / (high - low)))
    return Math.abs(seen * ((1 - smooth) / factor + smooth) - 1) < 1e-4
  })
  if (fits) return { rope_type: 'llama3', factor, ...llama3 }
  throw fault('config.unsupported', {
    place: `${tensors.name}: rope_freqs.weight`,
    what: 'factors of rotary positions that are not those of Llama 3',
    seen: Array.from(stored.subarray(0, 4)),
  })
}

/** Phi-3's factors for long and for short texts. */
export async function longFactors({ metadata, key, sizes }: GgufFacts, tensors: TensorSource): Promise<object> {
  const rotated = metadata.optionalCount(key('rope.dimension_count')) ?? sizes.headWidth
  const [long, short] = [
    await readFactors(tensors, 'rope_factors_long.weight', rotated / 2),
    await readFactors(tensors, 'rope_factors_short.weight', rotated / 2),
  ]
  const own = metadata.optionalNumber(key('rope.scaling.attn_factor'))
  const attention = own === undefined ? {} : { attention_factor: own }
  return { type: 'longrope', long_factor: Array.from(long), short_factor: Array.from(short), ...attention }
}

async function readFactors(tensors: TensorSource, name: string, count: number): Promise<Float32Array> {
  const values = await readFloat32(tensors, name)
  if (values.length === count) return values
  throw fault('tensor.shape', {
    place: `${tensors.name}: ${name}`,
    what: 'not a factor per pair of a head',
    seen: values.length,
    wanted: count,
  })
}
