/** The part of a config that reads text, and how its tensors are called among those of other towers. */
import { isObject } from '#files/formats'
import type { SpecSource } from './family.ts'
import type { TensorNames } from './spec.ts'
import { classSizes, sections, towers, wrappers } from './wrappers.ts'

type Fields = Readonly<Record<string, unknown>>

export interface TextPart {
  /** What its family reads: the section, with the sizes it leaves out, and the tie of the whole. */
  readonly fields: unknown
  /** Keys that lead to the section; empty where the config is the text part's own. */
  readonly path: readonly string[]
  /** Whether it is one tower among others. */
  readonly wrapped: boolean
  /** Whether the head of the whole leaves logits as they are. */
  readonly plainLogits: boolean
}

/** `named`: the user says the family, so that any model with a section is taken for one of several towers. */
export function textPart(config: unknown, named = false): TextPart {
  const whole = { fields: config, path: [], wrapped: false, plainLogits: false }
  if (!isObject(config)) return whole
  const type = config['model_type']
  const wrapper = typeof type === 'string' ? wrappers.get(type) : undefined
  const path = wrapper !== undefined || named ? sections.find((one) => isObject(valueAt(config, one))) : undefined
  const section = path === undefined ? undefined : valueAt(config, path)
  if (wrapper === undefined && section === undefined) return whole
  const written = section?.['model_type']
  const text = wrapper === undefined || (wrapper.any && typeof written === 'string') ? written : wrapper.text
  const ties = [config, section].map((one) => one?.['tie_word_embeddings'] ?? undefined)
  const tie = ties.find((one) => one === true) ?? ties[0] ?? (wrapper?.tied === true ? true : ties[1])
  return {
    fields: {
      ...(section === undefined || typeof text !== 'string' ? {} : classSizes.get(text)),
      ...(section ?? config),
      ...Object.fromEntries(Object.entries(wrapper?.whole ?? {}).map(([key, usual]) => [key, config[key] ?? usual])),
      model_type: text,
      ...(tie === undefined ? {} : { tie_word_embeddings: tie }),
    },
    path: path ?? [],
    wrapped: true,
    plainLogits: wrapper?.ownLogits === false,
  }
}

/** The section of a model of several towers; undefined where the config is the text part's own. */
export function textSection(config: unknown): Fields | undefined {
  const { path } = textPart(config)
  return path.length === 0 || !isObject(config) ? undefined : valueAt(config, path)
}

/** The config with another section at `path`. */
export function withSection(config: Fields, [key, ...rest]: readonly string[], section: Fields): Fields {
  if (key === undefined) return section
  const inner = config[key]
  return { ...config, [key]: withSection(isObject(inner) ? inner : {}, rest, section) }
}

function valueAt(config: Fields, path: readonly string[]): Fields | undefined {
  const found = path.reduce<unknown>((outer, key) => (isObject(outer) ? outer[key] : undefined), config)
  return isObject(found) ? found : undefined
}

/** Names of a family's tensors; heads of a model with several towers stand before the tower, or inside. */
export function towerNames(family: Pick<SpecSource, 'prefixes' | 'tensors' | 'linear'>, wrapped: boolean): TensorNames {
  const { prefixes, tensors, linear = 'out-in' } = family
  if (!wrapped) return { prefixes, slots: tensors, linear }
  return {
    prefixes: towers.flatMap((tower) => prefixes.map((prefix) => `${tower}${prefix}`)),
    outside: ['', ...towers.filter((tower) => tower !== '')],
    slots: tensors,
    linear,
  }
}
