/**
 * Rotary positions from a config, in every spelling: `rope_theta` with `rope_scaling` (`rope_type`, or `type` before
 * 4.45), and `rope_parameters` of transformers 5, whole or per layer type. Meanings, defaults and precedence follow
 * `modeling_rope_utils.py` of transformers 5.24: an older section replaces a newer one, and a value inside a section
 * counts before the same value outside.
 */
import { configReader, type ConfigReader, type Key } from './config-reader.ts'
import type { Rotary, RotaryScaling } from './spec.ts'

export interface RotaryOptions {
  readonly headWidth: number
  /** Share of each head that is rotated, where the config does not say. */
  readonly fraction?: number | undefined
  readonly fractionKey?: Key | undefined
  readonly base?: number | undefined
  readonly baseKey?: Key | undefined
  /** Which entry of a per-layer-type `rope_parameters` is meant. */
  readonly layerType?: LayerType | undefined
  /** False where `rope_scaling` does not apply (Gemma 3's local layers). */
  readonly scaled?: boolean | undefined
  /** Scaling names of this family that mean another (`su` of Phi-3). */
  readonly aliases?: Readonly<Record<string, string>> | undefined
  /** `original_max_position_embeddings` where it is left out. */
  readonly trainedLength?: number | undefined
  /** Section of the configuration class, for a config without one. */
  readonly usual?: Readonly<Record<string, unknown>> | undefined
  /** True where `alpha` of dynamic scaling stretches the base once for all lengths (Hunyuan). */
  readonly alpha?: boolean | undefined
}

export type LayerType = 'full_attention' | 'sliding_attention'

const kinds = ['default', 'linear', 'dynamic', 'yarn', 'llama3', 'longrope', 'proportional'] as const
const factorBounds = { min: 1e-3, max: 1e6 }

/** The rotary table of a config. Unknown scaling is refused with `config.unsupported`. */
export function readRotary(config: ConfigReader, options: RotaryOptions): Rotary {
  const { headWidth, fractionKey = 'partial_rotary_factor', baseKey = 'rope_theta', scaled = true } = options
  const parameters = rotarySection(config, options)
  const fractionBounds = { min: 1e-3, max: 1 }
  const fraction =
    parameters?.optionalNumber('partial_rotary_factor', fractionBounds) ??
    config.number(fractionKey, options.fraction ?? 1, fractionBounds)
  const isProportional = scaled && parameters?.text('rope_type') === 'proportional'
  const width = isProportional ? headWidth : Math.floor(headWidth * fraction)
  if (width < 2 || width % 2 !== 0)
    throw config.refuse(fractionKey, `rotates ${width} of ${headWidth} columns`, 'an even number')
  const baseBounds = { min: 1e-6 }
  const base =
    parameters?.optionalNumber('rope_theta', baseBounds) ?? config.number(baseKey, options.base ?? 10_000, baseBounds)
  const alpha = options.alpha === true && width > 2 ? readAlpha(parameters) : undefined
  if (alpha !== undefined)
    return { width, base: base * alpha ** (width / (width - 2)), interleaved: false, ...unscaled }
  if (isProportional) {
    const factor = parameters.number('factor', 1, factorBounds)
    const pairs = Math.floor((fraction * headWidth) / 2)
    return { width, base, interleaved: false, magnitude: 1, scaling: { kind: 'proportional', factor, pairs } }
  }
  const scaling = scaled ? readScaling(config, parameters, width, options) : unscaled
  return { width, base, interleaved: false, ...scaling }
}

/** `alpha` of dynamic scaling; 0 switches it off. */
function readAlpha(section: ConfigReader | undefined): number | undefined {
  const kind = section?.text('rope_type') ?? section?.text('type')
  return kind === 'dynamic' ? section?.optionalNumber('alpha', { min: 0 }) || undefined : undefined
}

const unscaled = { scaling: { kind: 'default' }, magnitude: 1 } as const satisfies Pick<Rotary, 'scaling' | 'magnitude'>

/** Factor on scores under yarn where `mscale_all_dim` is set (DeepSeek-V2); 1 otherwise. */
export function readScoreMagnitude(config: ConfigReader): number {
  const section = rotarySection(config, {})
  const kind = section?.text('rope_type') ?? section?.text('type') ?? 'default'
  const mscale = section?.optionalNumber('mscale_all_dim') ?? 0
  if (section === undefined || kind === 'default' || mscale === 0) return 1
  return yarnMagnitude(section.number('factor', undefined, factorBounds), mscale) ** 2
}

/**
 * The section that counts for a layer type. Families with tables by layer type read the older section only where there
 * is no newer one.
 */
export function rotarySection(
  config: ConfigReader,
  { layerType, scaled = true, usual }: Pick<RotaryOptions, 'layerType' | 'scaled' | 'usual'>,
): ConfigReader | undefined {
  const found = writtenSection(config, layerType, scaled)
  return found ?? (usual === undefined ? undefined : configReader(usual, `${config.place} › rope_parameters`))
}

function writtenSection(
  config: ConfigReader,
  layerType: LayerType | undefined,
  scaled: boolean,
): ConfigReader | undefined {
  const [older, newer] = [config.section('rope_scaling'), ropeParameters(config, layerType)]
  const filled = older === undefined || older.isEmpty() ? undefined : older
  if (layerType === undefined) return filled ?? newer
  return newer ?? (scaled ? filled : undefined)
}

function ropeParameters(config: ConfigReader, layerType: LayerType | undefined): ConfigReader | undefined {
  const parameters = config.section('rope_parameters')
  if (parameters === undefined) return undefined
  const perType = parameters.section('full_attention') ?? parameters.section('sliding_attention')
  if (perType === undefined) return parameters
  return layerType === undefined ? perType : parameters.section(layerType)
}

function readScaling(
  config: ConfigReader,
  section: ConfigReader | undefined,
  width: number,
  { aliases = {}, trainedLength }: RotaryOptions,
): Pick<Rotary, 'scaling' | 'magnitude'> {
  if (section === undefined || section.isEmpty()) return unscaled
  const key = ['rope_type', 'type'] as const
  // `type` is the older spelling, and counts only alone.
  const written = section.text('rope_type') ?? section.text('type') ?? (section.has('factor') ? undefined : 'default')
  const name = written !== undefined && Object.hasOwn(aliases, written) ? aliases[written] : written
  const kind = kinds.find((known) => known === name)
  if (kind === undefined) {
    if (written === undefined) throw section.refuse(key, 'is missing', kinds.join(', '))
    throw section.unsupported(key, `asks for rotary scaling that is not supported; known: ${kinds.join(', ')}`)
  }
  const maxPositions = (): number => config.int('max_position_embeddings')
  const trained = (): number =>
    config.optionalInt('original_max_position_embeddings') ??
    trainedLength ??
    section.optionalInt('original_max_position_embeddings') ??
    maxPositions()
  const factor = (): number => section.number('factor', undefined, factorBounds)
  switch (kind) {
    case 'default':
      return unscaled
    case 'linear':
      return { scaling: { kind, factor: factor() }, magnitude: 1 }
    case 'dynamic':
      if (width === 2) throw section.unsupported(key, 'dynamic scaling needs more than two rotated columns')
      return { scaling: { kind, factor: factor(), trainedLength: maxPositions() }, magnitude: 1 }
    case 'yarn':
      return readYarn(section, section.isNull('factor') ? maxPositions() / trained() : factor(), trained())
    case 'llama3':
      return { scaling: readLlama3(section, factor(), trained()), magnitude: 1 }
    case 'proportional':
      throw section.unsupported(key, 'is written in the older spelling, which the reference does not know')
    case 'longrope':
      return readLongrope(section, width / 2, maxPositions(), trained())
    default:
      return kind satisfies never
  }
}

function readYarn(section: ConfigReader, factor: number, trainedLength: number): Pick<Rotary, 'scaling' | 'magnitude'> {
  const mscale = section.optionalNumber('mscale')
  const mscaleAll = section.optionalNumber('mscale_all_dim')
  const inferred =
    mscale && mscaleAll ? yarnMagnitude(factor, mscale) / yarnMagnitude(factor, mscaleAll) : yarnMagnitude(factor, 1)
  const scaling: RotaryScaling = {
    kind: 'yarn',
    factor,
    trainedLength,
    betaFast: section.optionalNumber('beta_fast', { min: 0 }) || 32,
    betaSlow: section.optionalNumber('beta_slow', { min: 0 }) || 1,
    truncate: section.flag('truncate', true),
  }
  return { scaling, magnitude: section.number('attention_factor', inferred, { min: 0 }) }
}

/** Peng et al. 2023, eq. 22: attention is sharpened by 0.1 ln s + 1. */
function yarnMagnitude(factor: number, mscale: number): number {
  return factor <= 1 ? 1 : 0.1 * mscale * Math.log(factor) + 1
}

function readLlama3(section: ConfigReader, factor: number, trainedLength: number): RotaryScaling {
  const low = section.number('low_freq_factor', undefined, factorBounds)
  const high = section.number('high_freq_factor', undefined, factorBounds)
  if (high <= low) throw section.refuse('high_freq_factor', 'is not above low_freq_factor', `> ${low}`)
  return { kind: 'llama3', factor, low, high, trainedLength }
}

function readLongrope(
  section: ConfigReader,
  frequencies: number,
  maxPositions: number,
  trainedLength: number,
): Pick<Rotary, 'scaling' | 'magnitude'> {
  const factor = section.optionalNumber('factor', factorBounds) ?? maxPositions / trainedLength
  const inferred = factor <= 1 || trainedLength <= 1 ? 1 : Math.sqrt(1 + Math.log(factor) / Math.log(trainedLength))
  const divisors = (key: string): readonly number[] => {
    const values = section.numbers(key)
    if (values === undefined) throw section.refuse(key, 'is missing', `${frequencies} numbers`)
    if (values.length !== frequencies)
      throw section.refuse(key, `has ${values.length} numbers`, `${frequencies}, one per rotated pair`)
    if (values.some((value) => value <= 0)) throw section.refuse(key, 'holds a number that is not positive')
    return values
  }
  return {
    scaling: { kind: 'longrope', trainedLength, short: divisors('short_factor'), long: divisors('long_factor') },
    magnitude: section.number('attention_factor', inferred, { min: 0 }),
  }
}
