/** The way back through a classifier of the BERT kind. */
import type { Matrix64 } from '#core'
import { attendBackward } from '../attention.ts'
import { geluBackward } from '../gelu.ts'
import { layerNormBackward, type Norm, type NormPass } from '../layer-norm.ts'
import { added, rowsInto, times } from '../linear.ts'
import { type BackwardOptions, headWay, linearBackward, type WayBack } from '../way-back.ts'
import type { BertBlock } from './classifier.ts'
import type { BertBlockPass, BertPass } from './forward.ts'

export async function bertBackward(logits: Matrix64, { pack, pass, sums }: BackwardOptions<BertPass>): Promise<void> {
  const { classifier } = pass
  const head = headWay(pack, sums)
  const pooled = await linearBackward(logits, pass.pooled, classifier.out, head)
  for (let k = 0; k < pooled.data.length; k++) pooled.data[k] = pooled.data[k]! * (1 - pass.pooled.data[k]! ** 2)
  const first = await linearBackward(pooled, pass.first, classifier.dense, head)
  const { ids, positions, starts } = pack
  const way = { starts, sums }
  // only the first token of each text has a gradient behind the last block
  let states = rowsInto(first, starts.subarray(0, -1), ids.length)
  for (let i = classifier.blocks.length - 1; i >= 0; i--)
    states = await blockBackward(states, {
      block: classifier.blocks[i]!,
      pass: pass.blocks[i]!,
      heads: classifier.heads,
      way,
    })
  const embedded = normBackward(states, classifier.norm, pass.norm, way)
  sums.addTable(classifier.tokens, embedded, { rows: ids, starts })
  sums.addTable(classifier.positions, embedded, { rows: positions, starts })
  // every token has type 0
  sums.addTable(classifier.types, embedded, { rows: new Int32Array(ids.length), starts })
}

async function blockBackward(
  gradient: Matrix64,
  { block, pass, heads, way }: { block: BertBlock; pass: BertBlockPass; heads: number; way: WayBack },
): Promise<Matrix64> {
  const afterMlp = normBackward(gradient, block.norm2, pass.norm2, way)
  const active = await linearBackward(afterMlp, pass.active, block.outer, way)
  geluBackward(active.data, pass.inner.data, pass.shares.data)
  const between = added(afterMlp, await linearBackward(active, pass.norm1.output, block.inner, way))
  const afterAttention = normBackward(between, block.norm1, pass.norm1, way)
  const context = await linearBackward(afterAttention, pass.attention.output, block.out, way)
  const { query, key, value } = attendBackward(context, pass.attention, {
    heads,
    keyHeads: heads,
    causal: false,
    starts: way.starts,
  })
  let input = afterAttention
  for (const [part, layer] of [
    [query, block.query],
    [key, block.key],
    [value, block.value],
  ] as const)
    input = added(input, await linearBackward(part, pass.input, layer, way))
  return input
}

function normBackward(gradient: Matrix64, norm: Norm, pass: NormPass, { starts, sums }: WayBack): Matrix64 {
  sums.addRows(norm.weight, times(gradient, pass.normed), starts)
  sums.addRows(norm.bias, gradient, starts)
  return layerNormBackward(gradient, norm, pass)
}
