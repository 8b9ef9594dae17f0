/** What the blocks of one stretch of rows share: masks, position biases and rotations, made when first asked for. */
import { fault } from '#core'
import { attentionBias, type AttentionContext } from './attention.ts'
import { whereLong } from './attention-blocks.ts'
import type { Value } from './builder.ts'
import { chunkBias } from './chunks.ts'
import { remember } from './remember.ts'
import { rotaryCache } from './rotary.ts'
import type { Wiring } from './wiring.ts'

export function attentionContext(wiring: Wiring): AttentionContext {
  const { spec } = wiring
  const { positions } = spec.attention
  const bias = remember((window: number | undefined) =>
    remember((ahead: number | undefined) => {
      const none = (inside: Wiring): Value => inside.builder.float([0], [1, 1, 1, 1])
      return whereLong(wiring, ['rows', 'heads', 'queries', 'keys'], none, (inside) =>
        attentionBias(inside, { window, ahead }),
      )
    }),
  )
  return {
    kept: new Map(),
    bias: ({ window, ahead }) => bias(window)(ahead),
    chosen: { bias: undefined },
    chunks: remember((chunk: number) => {
      const none = (inside: Wiring): Value => inside.builder.float([0], [1, 1, 1, 1])
      return whereLong(wiring, ['rows', 1, 'queries', 'keys'], none, (inside) => chunkBias(inside, chunk))
    }),
    rotary: remember((table: number) => {
      const rotary = positions.kind === 'rotary' ? positions.tables[table] : undefined
      if (rotary === undefined)
        throw fault('internal', { place: spec.title, what: 'no such rotary table', seen: table })
      return rotaryCache(wiring, rotary)
    }),
  }
}
