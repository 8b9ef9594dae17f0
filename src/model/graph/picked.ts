/** The language model's head at chosen tokens: their logits, or how probable given ids are there. */
import { fault } from '#core'
import type { Value } from './builder.ts'
import { headNamed, runHead } from './heads.ts'
import type { GraphOutput, GraphRequest } from './request.ts'
import type { States } from './states.ts'
import type { Wiring } from './wiring.ts'

/** Inputs are made when they are asked for. */
export interface Picking {
  readonly picked: () => Value
  readonly targets: () => Value
}

export function wirePicked(
  wiring: Wiring,
  states: States,
  kind: NonNullable<GraphRequest['picked']>,
  picking: Picking,
  place: string,
): readonly GraphOutput[] {
  const { builder, spec } = wiring
  const head = headNamed(spec, 'causal', place)
  if (head.from !== 'tokens')
    throw fault('internal', { place, what: 'a causal head that is not one of tokens', seen: head.from })
  const flat = builder.reshape(states.last(), [-1, states.lastWidth])
  // [1 × picks × width]: a text's worth of tokens to the head
  const chosen = builder.node('Unsqueeze', [builder.node('Gather', [flat, picking.picked()]), builder.int([0])])
  const { value, width } = runHead(
    { ...wiring, ids: builder.node('Unsqueeze', [picking.picked(), builder.int([0])]) },
    { last: () => chosen, firstInside: states.firstInside },
    states.lastWidth,
    head,
  )
  const logits = builder.reshape(value, [-1, width])
  const put = (output: Value, name: string, size: number): GraphOutput => {
    builder.name(output, name)
    return { name, kind: 'picked', width: size, per: 'pick' }
  }
  switch (kind) {
    case 'logits':
      return [put(logits, 'picked_logits', width)]
    case 'scores':
    case 'best': {
      const [picks = '', targets = ''] = builder.split('Split', [picking.targets(), builder.int([1, 1])], 2, {
        axis: 1,
      })
      const logs = builder.node('LogSoftmax', [logits], { axis: -1 })
      const own = builder.reshape(builder.node('GatherND', [logs, picking.targets()]), [-1, 1])
      const best = builder.node('ArgMax', [logits], { axis: 1, keepdims: 1 })
      if (kind === 'best')
        return [
          put(own, 'log_probability', 1),
          put(builder.cast(best, 'float32'), 'best_id', 1),
          put(builder.node('GatherElements', [logs, best], { axis: 1 }), 'best_log_probability', 1),
        ]
      return [
        put(own, 'log_probability', 1),
        put(
          builder.cast(builder.node('Equal', [builder.node('GatherND', [best, picks]), targets]), 'float32'),
          'is_greedy',
          1,
        ),
      ]
    }
    default:
      return kind satisfies never
  }
}
