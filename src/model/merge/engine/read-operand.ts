/** How a tensor's values are asked for. */
import type { Operand } from '../plan/plan.ts'

/**
 * Stored bytes of elements [from, to) of an operand; in the beginning of `into` where that is given and the reader has
 * to put them somewhere.
 */
export type ReadOperand = (operand: Operand, from: number, to: number, into?: Uint8Array) => Promise<Uint8Array>
