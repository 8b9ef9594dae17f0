/** Ranges of tensors from the files they lie in. */
import { dtypeBytes, fault } from '#core'
import type { PlannedTensor } from '../plan/plan.ts'
import type { ReadOperand } from './read-operand.ts'
import type { ThreadFiles } from '#platform/disk'

export interface OperandPlace {
  readonly input: number
  readonly tensor: string
  readonly path: string
  readonly offset: number
}

/** Reads the operands of one tensor. */
export function fileReader(
  { name }: Pick<PlannedTensor, 'name'>,
  places: readonly OperandPlace[],
  files: ThreadFiles,
): ReadOperand {
  return async ({ input, info }, from, to, into) => {
    const place = places.find((one) => one.input === input && one.tensor === info.name)
    if (place === undefined)
      throw fault('internal', { place: name, what: 'an operand without a place', seen: info.name })
    const size = dtypeBytes(info.dtype)
    return files.read(place.path, place.offset + from * size, (to - from) * size, info.name, into)
  }
}
