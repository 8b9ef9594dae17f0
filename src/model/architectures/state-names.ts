/**
 * Which entry of transformers' `hidden_states` is which of our states, where the reference leaves out the embedding
 * output.
 */
import type { ModelSpec } from './spec.ts'

/** A state by its h, or the state after everything: `last_hidden_state`. */
export type StateIndex = number | 'last'

type Naming = Pick<ModelSpec, 'stateNames' | 'layers'>

/**
 * Index in the reference's `hidden_states` of a state as it is under `finalNorm: 'native'`; undefined for one that the
 * reference does not list.
 * `embeddings-first` lists state h at h. `blocks-only` lists block output h at h − 1 and the last state, after the
 * final norm, at `layers`. Shorter states count there, and are none of ours.
 */
export function referenceIndex({ stateNames, layers }: Naming, state: StateIndex): number | undefined {
  if (typeof stateNames === 'object') {
    if (state === 'last') return undefined
    return state <= stateNames.after ? state : state + stateNames.skipped
  }
  switch (stateNames) {
    case 'embeddings-first':
      return state === 'last' ? undefined : state
    case 'blocks-only':
      if (state === 'last') return layers
      return state === 0 ? undefined : state - 1
    default:
      return stateNames satisfies never
  }
}

/** The state that stands at an index of the reference's `hidden_states`; undefined beyond its end. */
export function stateAt(naming: Naming, index: number): StateIndex | undefined {
  const { stateNames, layers } = naming
  if (typeof stateNames === 'object') {
    const { after, skipped } = stateNames
    const state = index <= after ? index : index - skipped
    return index >= 0 && state <= layers && (index <= after || state > after) ? state : undefined
  }
  if (index < 0 || index > layers) return undefined
  switch (stateNames) {
    case 'embeddings-first':
      return index
    case 'blocks-only':
      return index === layers ? 'last' : index + 1
    default:
      return stateNames satisfies never
  }
}
