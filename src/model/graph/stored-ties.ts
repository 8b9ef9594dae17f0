/** Heads that a checkpoint stores although its config ties them to the token table. */
import type { TensorSource } from '#core'
import type { ModelSpec } from '#model/architectures'
import { resolveNames } from './names.ts'

export interface StoredTie {
  readonly head: string
  readonly table: string
}

/** From headers alone: the two may hold the same bytes. */
export function storedTies(spec: ModelSpec, tensors: TensorSource): StoredTie[] {
  const names = resolveNames(spec.tensors, tensors)
  const table = names.find('embed.token', {}, 'weight')
  if (table === undefined) return []
  return [spec.heads.causal, spec.heads.masked].flatMap((head) =>
    (head?.steps ?? []).flatMap((step) => {
      const own = step.do === 'vocabulary' && step.tied ? names.find(step.slot, {}, 'weight') : undefined
      return own === undefined || own === table ? [] : [{ head: own, table }]
    }),
  )
}
