/**
 * What an opcode may do: read on, move values on the stack and in the memo, ask for a name on the list. Everything that
 * does not fit is `format.pickle`.
 */
import type { PickleInput } from './pickle-input.ts'
import type { Pickled, PickledGlobal, Scene } from './pickle-values.ts'

export interface Machine extends Scene {
  readonly input: PickleInput
  readonly memo: Map<number, Pickled>
  readonly push: (value: Pickled) => void
  readonly pop: () => Pickled
  readonly top: () => Pickled
  readonly mark: () => void
  /** Everything above the last mark, which goes too. */
  readonly popMark: () => Pickled[]
  /** Nothing is on the stack. */
  readonly empty: () => boolean
  readonly global: (module: string, name: string) => PickledGlobal
  readonly persistent: (id: Pickled) => Pickled
}
