/** Token ids through a representation: what distillation reads, one vector per row. */
import { fault, matrix } from '#core'
import { type EncodeCall, type Model, type StateRows, statesOf } from '#model/checkpoint'
import type { PoolingName, TokenRow } from '#model/passes'
import { layersOf, mixedWidth, mixer } from './combination.ts'
import { type Representation, representationName, withoutVector } from './representation.ts'

export interface TokenRows {
  readonly width: number
  /** [rows × width]. The first `skipped` tokens of each row are read, and left out of the pooling. */
  forward(ids: readonly Int32Array[], skipped: number, call?: EncodeCall): Promise<Float32Array>
}

/**
 * `default` is here the last hidden state as transformers returns it, without later modules. `pooling` counts where the
 * representation names none. Throws `usage.conflict` for a model without hidden states, `representation.*`.
 */
export function openTokenRows(model: Model, representation: Representation, pooling: PoolingName): TokenRows {
  const states = statesOf(model)
  const rowsOf = (asked: readonly (number | 'last')[], own: PoolingName | undefined) =>
    states.rows(asked, [own ?? pooling])
  switch (representation.kind) {
    case 'default':
      return single(rowsOf(['last'], undefined))
    case 'state':
      return single(rowsOf([representation.h], representation.pooling))
    case 'combination': {
      const layers = layersOf(representation.mix)
      const rows = rowsOf(layers, representation.pooling)
      const widths = Array.from({ length: states.count }, (_, h) => rows.widths[layers.indexOf(h)] ?? 0)
      const mixingOf = mixer(representation, widths)
      return {
        width: mixedWidth(representation, widths),
        async forward(ids, skipped, call) {
          const values = await rows.forward(ids.map(plainRow), skipped, call)
          const mixed = await mixingOf(ids.length)
          for (const [at, h] of layers.entries()) await mixed.add(h, matrix(ids.length, widths[h] ?? 0, values[at]))
          return mixed.finish().data
        },
      }
    }
    case 'tokens':
      throw withoutVector(representation, 'distill')
    case 'splade':
      throw fault('usage.conflict', {
        place: 'splade',
        what: 'weights of words are made of whole texts, not of tokens',
        hint: 'name a hidden state, such as h3',
      })
    case 'sized':
      throw fault('usage.conflict', {
        place: representationName(representation),
        what: 'tokens are distilled from whole vectors',
        hint: 'choose the dimensions and the type of the table itself: --pca-dims 128 --dtype int8',
      })
    default:
      return representation satisfies never
  }
}

function single(rows: StateRows): TokenRows {
  const [width = 0] = rows.widths
  return {
    width,
    forward: async (ids, skipped, call) =>
      (await rows.forward(ids.map(plainRow), skipped, call))[0] ?? new Float32Array(0),
  }
}

function plainRow(ids: Int32Array): TokenRow {
  return { ids, typeIds: new Int32Array(ids.length) }
}
