/** config.json of a model's first blocks. */
import { fault, fingerprint } from '#core'
import { findFamily } from './find-family.ts'
import { specOf } from './spec-of.ts'
import type { ModelSpec } from './spec.ts'
import { textPart, textSection, withSection } from './text-part.ts'

export interface CutConfig {
  readonly config: Readonly<Record<string, unknown>>
  readonly spec: ModelSpec
  /** The family's own class for the part of the model that is read, where the checkpoint may hold more than that. */
  readonly encoderClass: string | undefined
}

/**
 * The config with `layers` blocks, every other word of it kept. It is read again and must mean the first blocks of the
 * same model; a family whose config cannot say them is refused with `config.unsupported`.
 */
export function cutConfig(config: Readonly<Record<string, unknown>>, layers: number, place = 'config.json'): CutConfig {
  const spec = specOf(config, { place })
  const { depth, encoderClass } = findFamily(config) ?? {}
  const { count = ['num_hidden_layers'], lists = ['layer_types'], further } = depth ?? {}
  const blocks = firstBlocks(spec, layers)
  const { path } = textPart(config)
  const section = textSection(config) ?? config
  const part: Record<string, unknown> = { ...section, ...further?.(blocks) }
  const written = count.filter((key) => Object.hasOwn(section, key))
  for (const key of written.length === 0 ? count.slice(0, 1) : written) part[key] = layers
  for (const key of lists) {
    const list = section[key]
    if (Array.isArray(list)) part[key] = list.slice(0, layers)
  }
  const out: Record<string, unknown> = { ...withSection(config, path, part) }
  if (encoderClass !== undefined)
    Object.assign(out, { architectures: [encoderClass], is_encoder_decoder: false, use_cache: false })
  const cut = layers === 0 ? undefined : specOf(out, { place })
  if (cut === undefined || meaning(cut) !== meaning({ ...spec, layers, blocks }))
    throw fault('config.unsupported', {
      place,
      what: `config.json of ${spec.title} cannot describe the first ${layers} of its ${spec.layers} layers`,
    })
  return { config: out, spec: cut, encoderClass }
}

/**
 * Whether layers use weights that are stored with an earlier one, so that only the first layers can stand alone; false
 * for a config that no family reads.
 */
export function sharesBlocks(config: Readonly<Record<string, unknown>>): boolean {
  try {
    return specOf(config).blocks.some(({ i, s = i }) => s !== i)
  } catch {
    return false
  }
}

function firstBlocks({ blocks }: ModelSpec, layers: number): ModelSpec['blocks'] {
  let states = 0
  return blocks.filter(({ state }) => {
    const isIn = states < layers
    if (state) states++
    return isIn
  })
}

/** Which class writes a config changes none of its numbers. */
function meaning(spec: ModelSpec): string {
  return fingerprint({ ...spec, className: null, head: null, labels: null, heads: null })
}
