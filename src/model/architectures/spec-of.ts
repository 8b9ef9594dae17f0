/** config.json → ModelSpec: finds the family, lets it read, fills in what it leaves out. */
import { readQuantisation } from '#model/quantised'
import { completeSpec, type SpecContext } from './complete-spec.ts'
import { configReader, type ConfigReader } from './config-reader.ts'
import type { Family } from './family.ts'
import { familyNamed, familyOf } from './find-family.ts'
import type { ModelSpec } from './spec.ts'
import { textPart } from './text-part.ts'

export interface SpecOptions {
  /** A `model_type` to be used instead of the config's own. */
  readonly architecture?: string | undefined
  /** For messages: where the config lies. */
  readonly place?: string | undefined
}

/**
 * The spec of a parsed config.json. Throws `config.value` for values that are missing, of the wrong type or
 * implausible, `config.unsupported` for values that ask for other arithmetic, `config.family` for a model type that no
 * family reads, `usage.value` for an unknown `architecture`.
 */
export function specOf(config: unknown, options: SpecOptions = {}): ModelSpec {
  const { family, ...context } = readFamily(config, options)
  return completeSpec(family, family.spec(context.reader), context)
}

/** A decoder that continues from the states of an encoder. */
export interface DecoderPart {
  readonly spec: ModelSpec
  /** The token in front of everything it writes. */
  readonly startId: number
}

/**
 * The decoder that belongs to the encoder `specOf` reads, whether or not the checkpoint holds it; undefined where the
 * family has none. Throws as `specOf` does.
 */
export function decoderOf(config: unknown, options: SpecOptions = {}): DecoderPart | undefined {
  const { family, ...context } = readFamily(config, options)
  const { decoder } = family
  if (decoder === undefined) return undefined
  return {
    spec: completeSpec(decoder, decoder.spec(context.reader), context),
    startId: decoder.startId(context.reader),
  }
}

/** Paths of the keys that the family of a config looks at: `hidden_size`, `rope_scaling.factor`. Throws as `specOf` does. */
export function listReadKeys(config: unknown, options: SpecOptions = {}): ReadonlySet<string> {
  const paths = new Set<string>()
  const { family, ...context } = readFamily(config, options, (path) => paths.add(path.join('.')))
  for (const part of [family, family.decoder])
    if (part !== undefined) completeSpec(part, part.spec(context.reader), context)
  family.decoder?.startId(context.reader)
  return paths
}

function readFamily(
  config: unknown,
  { architecture, place = 'config.json' }: SpecOptions,
  onRead?: (path: readonly string[]) => void,
): SpecContext & { readonly family: Family } {
  const whole = configReader(config, place)
  const className = firstClass(whole)
  const { fields, path, wrapped, plainLogits } = textPart(config, architecture !== undefined)
  const reader = configReader(fields, [place, ...path].join(' › '), (keys) => onRead?.([...path, ...keys]))
  const { family, modelType } =
    architecture === undefined
      ? familyOf(reader, className, (near) => lacking(config, near, place))
      : familyNamed(architecture, className)
  // The same numbers in fewer bits: nothing of the spec depends on them, but what cannot be read is refused.
  readQuantisation(config, place)
  if (path.length > 0 && reader.has('quantization_config') && !whole.has('quantization_config'))
    throw reader.unsupported('quantization_config', 'is read only where it stands outside the section')
  const pruned = reader.section('pruned_heads')
  if (pruned !== undefined && !pruned.isEmpty())
    throw reader.unsupported('pruned_heads', 'pruned heads are not supported')
  return { family, modelType, className, labels: readLabels(whole), wrapped, plainLogits, reader }
}

/** What the config lacks of that family; empty where it reads as one of it. */
function lacking(config: unknown, architecture: string, place: string): string {
  try {
    specOf(config, { architecture, place })
    return ''
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function firstClass(reader: ConfigReader): string | undefined {
  const [first] = reader.list('architectures') ?? []
  return typeof first === 'string' ? first : undefined
}

function readLabels(reader: ConfigReader): readonly string[] | undefined {
  const names = reader.section('id2label')
  if (names === undefined) {
    const count = reader.optionalInt('num_labels', { max: 1_000_000 })
    return count === undefined ? undefined : Array.from({ length: count }, (_, i) => `LABEL_${i}`)
  }
  return names.keys().map((_, index) => names.text(String(index)) ?? `LABEL_${index}`)
}
