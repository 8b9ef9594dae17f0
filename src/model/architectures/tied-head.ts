/** A head that the config ties to the token table: its name, and the table's. */
import type { HeadStep, ModelSpec, Slot } from './spec.ts'
import { decoderOf, specOf } from './spec-of.ts'
import { textPart, textSection, withSection } from './text-part.ts'
import { type Fields, headName, tensorRoles } from './tensor-roles.ts'

export interface TiedHead {
  /** Name that the head has where it is stored. */
  readonly head: string
  readonly embedding: string
  /** An encoder and its decoder read the same table. */
  readonly shared: boolean
}

/** Undefined for a model without a head over the vocabulary, and for one whose config does not tie it. */
export function tiedHead(config: Fields, names: readonly string[]): TiedHead | undefined {
  const roleOf = tensorRoles(config, names)
  const embedding = names.find((name) => roleOf(name).kind === 'token-embedding')
  const slot = tiedSlot(config, (part) => names.some((name) => roleOf(name).slot === part))
  if (embedding === undefined || slot === undefined) return undefined
  return { head: headName(config, names, slot), embedding, shared: hasDecoder(config) }
}

/**
 * The config with its tie undone, for a model that stores both tables. Where the flag means more than the tie (T5
 * scales states by it) it stays: readers follow the stored head.
 */
export function untiedConfig<Config extends Fields>(config: Config): Config {
  const section = textSection(config)
  const part = section?.['tie_word_embeddings'] === true ? { ...section, tie_word_embeddings: false } : undefined
  const parted = part === undefined ? config : withSection(config, textPart(config).path, part)
  const untied = { ...config, ...parted, tie_word_embeddings: false }
  const before = readHeads(config)
  if (before === undefined) return config['tie_word_embeddings'] === true ? untied : config
  if (!before.some(({ tied }) => tied)) return config
  const rest = (heads: typeof before): string => JSON.stringify(heads.map(({ steps }) => steps.map(withoutTie)))
  return rest(before) === rest(readHeads(untied) ?? []) ? untied : config
}

function withoutTie(step: HeadStep): HeadStep {
  return step.do === 'vocabulary' ? { ...step, tied: false } : step
}

/** Heads over the vocabulary; undefined for a family that is not known, or a config that it cannot read. */
function readHeads(config: Fields): { slot: Slot; tied: boolean; steps: readonly HeadStep[] }[] | undefined {
  try {
    const specs: ModelSpec[] = [specOf(config)]
    const decoder = decoderOf(config)
    if (decoder !== undefined) specs.push(decoder.spec)
    return specs.flatMap(({ heads }) =>
      [heads.causal, heads.masked].flatMap((head) => {
        const step = head?.steps.find((one) => one.do === 'vocabulary')
        return head === undefined || step === undefined ? [] : [{ slot: step.slot, tied: step.tied, steps: head.steps }]
      }),
    )
  } catch {
    return undefined
  }
}

/** A masked head is there only with the layer in front of it. */
function tiedSlot(config: Fields, stores: (slot: Slot) => boolean): Slot | undefined {
  const heads = readHeads(config)
  if (heads === undefined) return config['tie_word_embeddings'] === true ? 'head.causal' : undefined
  return heads.find(({ slot, tied }) => tied && (slot === 'head.causal' || stores('head.masked.dense')))?.slot
}

function hasDecoder(config: Fields): boolean {
  try {
    return decoderOf(config) !== undefined
  } catch {
    return false
  }
}
