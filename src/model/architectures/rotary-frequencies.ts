/**
 * Frequencies of rotary tables; formulas and order of float32 operations are those of transformers'
 * `ROPE_INIT_FUNCTIONS`.
 */
import type { Rotary } from './spec.ts'

/** 0, 2/width, 4/width, … rounded to float32 as the reference computes them. */
export function rotaryExponents(width: number): Float32Array {
  return Float32Array.from({ length: width / 2 }, (_, pair) => (2 * pair) / width)
}

/** base^(2i/width) in float32. */
export function rotaryWavelengths({ base, width }: Rotary): Float32Array {
  return rotaryExponents(width).map((exponent) => Math.pow(base, exponent))
}

/** Frequencies that do not depend on the batch, in the reference's order of float32 operations. */
export function fixedFrequencies(rotary: Rotary): Float32Array {
  const { scaling } = rotary
  const plain = rotaryWavelengths(rotary).map((wavelength) => 1 / wavelength)
  switch (scaling.kind) {
    case 'linear':
      return plain.map((frequency) => frequency / scaling.factor)
    case 'llama3':
      return plain.map((frequency) => llama3Frequency(frequency, scaling))
    case 'yarn': {
      const { low, high } = yarnRange(rotary, scaling)
      return plain.map((frequency, pair) => {
        const kept = 1 - Math.min(1, Math.max(0, (pair - low) / (high - low)))
        return (frequency / scaling.factor) * (1 - kept) + frequency * kept
      })
    }
    case 'proportional':
      return plain.map((frequency, pair) => (pair < scaling.pairs ? frequency / scaling.factor : 0))
    case 'default':
    case 'dynamic':
    case 'longrope':
      return plain
    default:
      return scaling satisfies never
  }
}

/** Llama 3.1: long wavelengths are divided by the factor, short ones kept, those between interpolated. */
function llama3Frequency(
  frequency: number,
  { factor, trainedLength, low, high }: Extract<Rotary['scaling'], { kind: 'llama3' }>,
): number {
  const wavelength = (2 * Math.PI) / frequency
  if (wavelength < trainedLength / high) return frequency
  if (wavelength > trainedLength / low) return frequency / factor
  const smooth = (trainedLength / wavelength - low) / (high - low)
  return ((1 - smooth) * frequency) / factor + smooth * frequency
}

/** Peng et al. 2023 (YaRN), §3.2: between these pairs the frequencies go over from kept to divided. */
function yarnRange(
  { base, width }: Rotary,
  { betaFast, betaSlow, trainedLength, truncate }: Extract<Rotary['scaling'], { kind: 'yarn' }>,
): { low: number; high: number } {
  const pairAt = (turns: number): number =>
    (width * Math.log(trainedLength / (turns * 2 * Math.PI))) / (2 * Math.log(base))
  const low = Math.max(truncate ? Math.floor(pairAt(betaFast)) : pairAt(betaFast), 0)
  const high = Math.min(truncate ? Math.ceil(pairAt(betaSlow)) : pairAt(betaSlow), width - 1)
  // The ramp of equal ends is a step.
  return { low, high: low === high ? high + 0.001 : high }
}
