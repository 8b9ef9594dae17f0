/** Every merge method Strata knows. Config checks, help, docs and the contract suite derive from this list. */
import type { MergeMethod } from '../method.ts'
import { linear } from './linear.ts'
import { slerp } from './slerp.ts'

export const mergeMethods = { linear, slerp } as const satisfies Record<string, MergeMethod>

export type MergeMethodName = keyof typeof mergeMethods
