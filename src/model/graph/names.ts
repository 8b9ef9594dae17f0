/** Finds the tensor a slot stands for among those a source holds. */
import type { TensorSource } from '#core'
import { isBuffer, type Part, type Place, type Slot, slotSpellings, type TensorNames } from '#model/architectures'

export interface Names {
  /** Prefix of the model's tensors in this source. */
  readonly prefix: string
  /** Name of the tensor, or undefined when the source has none of the spellings. */
  find(slot: Slot, place: Place, part: Part): string | undefined
  /** The spelling to be named when it is missing. */
  usual(slot: Slot, place: Place, part: Part): string
  /**
   * Tensors that no slot of the family can mean, buffers left out: of the model itself, and of the other towers of one
   * that has several.
   */
  unused(part: 'own' | 'other-towers'): readonly string[]
}

/** Names of `tensors` as one family calls them. */
export function resolveNames(family: TensorNames, tensors: TensorSource): Names {
  const { prefix, spellings, slotOf } = slotSpellings(family, tensors.names())
  return {
    prefix,
    find: (slot, place, part) => spellings(slot, place, part).find((name) => tensors.info(name) !== undefined),
    usual: (slot, place, part) => spellings(slot, place, part)[0] ?? slot,
    unused: (part) => {
      const isElsewhere = (name: string): boolean => family.outside !== undefined && !name.startsWith(prefix)
      return tensors
        .names()
        .filter(
          (name) => slotOf(name) === undefined && !isBuffer(name) && isElsewhere(name) === (part === 'other-towers'),
        )
    },
  }
}
