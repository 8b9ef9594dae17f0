/**
 * Head and token table of a base that ties them, as PEFT runs them: each is a module of its own, which an adapter may
 * change without the other.
 */
import { fault, type TensorSource } from '#core'
import type { TiedHead } from '#model/architectures'
import type { AdapterTensors } from './adapter-tensors.ts'
import { matchNames } from './match-names.ts'
import type { LoraConfig } from './peft-config.ts'

export type { TiedHead } from '#model/architectures'

export interface Adaptation {
  readonly tensors: AdapterTensors
  readonly config: LoraConfig
  readonly tied: TiedHead | undefined
  readonly place: string
}

/**
 * The base itself, or, where the adapter changes only one of the two, with the table under the head's name as well.
 * Throws `config.unsupported` where encoder and decoder share the table: which of their modules PEFT adapts then
 * depends on its release.
 */
export function separateHead(base: TensorSource, { tensors, config, tied, place }: Adaptation): TensorSource {
  if (tied === undefined || base.info(tied.head) !== undefined) return base
  const { head, embedding, shared } = tied
  const match = matchNames([...base.names(), head])
  const means = (wanted: string) => (name: string) => match(name).includes(wanted)
  const adapted = tensors.pairs.map(({ module }) => `${module}.weight`)
  const saved = tensors.whole.map(({ name }) => name)
  const changesHead = [...adapted, ...saved].some(means(head))
  const changesTable =
    adapted.some(means(embedding)) || saved.filter((name) => config.isSaved(name)).some(means(embedding))
  if (!changesHead && !changesTable) return base
  if (shared)
    throw fault('config.unsupported', {
      place,
      what: 'the adapter changes a token table that encoder, decoder and head share',
      hint: 'merge it into its base model with PEFT and open the result',
    })
  // Without a tensor for the head, a tie that is ensured lets it follow the table.
  if (!changesHead && config.ensuresTie) return base
  return withHead(base, head, embedding)
}

function withHead(base: TensorSource, head: string, embedding: string): TensorSource {
  const stored = (name: string): string => (name === head ? embedding : name)
  return {
    ...base,
    names: () => [...base.names(), head],
    info(name) {
      const info = base.info(stored(name))
      return info === undefined ? undefined : { ...info, name }
    },
    read: (name) => base.read(stored(name)),
    locate: (name) => base.locate(stored(name)),
  }
}
