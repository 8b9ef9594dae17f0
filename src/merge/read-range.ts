/** How a tensor's values are asked for. */
import type { Operand } from './plan.ts'

/** Stored bytes of elements [from, to) of an operand. */
export type ReadRange = (operand: Operand, from: number, to: number) => Promise<Uint8Array>
