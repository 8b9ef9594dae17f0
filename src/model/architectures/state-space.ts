/** Sizes of Mamba's mixers, by the names that families give them. */
import type { ConfigReader, Key } from './config-reader.ts'
import { limits } from './sizes.ts'
import type { GatedNorm, MixerSpec } from './mixer-spec.ts'

type Duality = Extract<MixerSpec, { kind: 'state-space-duality' }>

/** Keys and usual values; a family that names something otherwise says so. */
export interface DualityKeys {
  readonly heads: string
  readonly headWidth: string
  readonly groups: Key
  readonly states: string
  readonly kernel: Key
  readonly kernelBias: Key
  readonly bias: string
  readonly usual: {
    readonly heads: number
    readonly headWidth?: number
    readonly groups: number
    readonly states: number
  }
}

/** Mamba-2 inside hybrids: Bamba and what came after it. */
export const hybridKeys = {
  heads: 'mamba_n_heads',
  headWidth: 'mamba_d_head',
  groups: 'mamba_n_groups',
  states: 'mamba_d_state',
  kernel: 'mamba_d_conv',
  kernelBias: 'mamba_conv_bias',
  bias: 'mamba_proj_bias',
  usual: { heads: 128, groups: 1, states: 256 },
} as const satisfies DualityKeys

/**
 * Mamba-2's mixer of `inner` columns. Throws `config.value` where heads and groups do not divide them.
 */
export function readDuality(
  config: ConfigReader,
  keys: DualityKeys,
  { inner, norm }: { readonly inner: number; readonly norm: GatedNorm['norm'] },
): Duality {
  const heads = config.int(keys.heads, keys.usual.heads, { max: limits.heads })
  if (inner % heads !== 0) throw config.refuse(keys.heads, `heads do not divide ${inner} columns`)
  const headWidth = readAutomatic(config, keys.headWidth, inner / heads, keys.usual.headWidth)
  if (heads * headWidth !== inner)
    throw config.refuse(keys.headWidth, `heads of this width do not make ${inner} columns`, inner / heads)
  const groups = config.int(keys.groups, keys.usual.groups, { max: limits.heads })
  if (heads % groups !== 0) throw config.refuse(keys.groups, `groups do not divide ${heads} heads`)
  const bias = config.flag(keys.bias, false)
  return {
    kind: 'state-space-duality',
    heads,
    headWidth,
    groups,
    states: config.int(keys.states, keys.usual.states, { max: limits.width }),
    kernel: config.int(keys.kernel, 4, { max: 1024 }),
    kernelBias: config.flag(keys.kernelBias, true),
    bias: { in: bias, out: bias },
    activation: config.activation('hidden_act', 'silu'),
    limits: readStepLimits(config),
    norm: { norm, groups, order: 'gate-first', activation: 'silu', weightPer: 'column' },
    factors: undefined,
  }
}

/** Inner columns of a mixer: `expand` times the model's. */
export function readExpanded(config: ConfigReader, key: string, width: number): number {
  const inner = Math.floor(config.number(key, 2, { min: 0 }) * width)
  if (inner < 1 || inner > limits.width) throw config.refuse(key, `makes ${inner} columns`, `1 … ${limits.width}`)
  return inner
}

/** A number, or `auto` for what follows from others, which also is usual unless said otherwise. */
export function readAutomatic(config: ConfigReader, key: string, automatic: number, usual = automatic): number {
  if (!config.isText(key)) return config.int(key, usual, { max: limits.width })
  config.choice(key, ['auto'])
  return automatic
}

/** `time_step_limit`: Python writes infinity as a word, transformers 5 as an object. */
function readStepLimits(config: ConfigReader): Duality['limits'] {
  const key = 'time_step_limit'
  const written = config.list(key)
  if (written === undefined) return { least: 0, most: undefined }
  const [least, most] = written
  if (written.length !== 2 || typeof least !== 'number' || !Number.isFinite(least))
    throw config.refuse(key, 'is not a pair of numbers')
  if (typeof most === 'number' && Number.isFinite(most)) return { least, most }
  if (most === Infinity || JSON.stringify(most) === '{"__float__":"Infinity"}') return { least, most: undefined }
  throw config.refuse(key, 'is not a pair of numbers')
}
