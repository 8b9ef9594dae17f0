/** The states of some texts, layer by layer, from the one cache of layer vectors. */
import type { CallOptions, Matrix } from '#core'
import { type Model, statesOf } from '#model/checkpoint'
import { rememberedKeys } from '#platform/vectors'

/** Of the rows asked, every state, [rows × width] each, h = 0 first. What is not cached passes the model once. */
export type LayerRows = (rows: ArrayLike<number>) => Promise<Matrix[]>

/** Throws `usage.conflict` for a model without layers. */
export async function layerRows(model: Model, texts: readonly string[], call: CallOptions): Promise<LayerRows> {
  const states = statesOf(model)
  const keys = rememberedKeys()
  const embedders = await Promise.all(Array.from({ length: states.count }, (_, h) => states.embedder({ kind: 'state', h }, { keep: 'all', keys })))
  return async (rows) => {
    const asked = Array.from(rows, (row) => texts[row] ?? '')
    const layers: Matrix[] = []
    for (const embedder of embedders) layers.push(await embedder.embed(asked, call))
    return layers
  }
}
