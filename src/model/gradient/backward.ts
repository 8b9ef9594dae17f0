/** The way back: gradients of the logits to squared gradients of every parameter, text by text. */
import type { Matrix64 } from '#core'
import { product } from '#platform/linalg'
import { attendBackward } from './attention.ts'
import type { Block, Classifier, Linear, Norm } from './classifier.ts'
import type { BlockPass, ForwardPass } from './forward.ts'
import { geluBackward } from './gelu.ts'
import { layerNormBackward, type NormPass } from './layer-norm.ts'
import { added, times } from './linear.ts'
import type { SquareSums } from './square-sums.ts'
import type { TextPack } from './text-pack.ts'

export interface BackwardOptions {
  readonly classifier: Classifier
  readonly pack: TextPack
  readonly pass: ForwardPass
  readonly sums: SquareSums
}

/** Where the rows of each text begin, and the sums that squares are added to. */
interface Way {
  readonly starts: Int32Array
  readonly sums: SquareSums
}

/** Adds the squares of each text's gradients, given those of its logits: [texts × labels]. */
export async function backward(logits: Matrix64, options: BackwardOptions): Promise<void> {
  const { classifier, pack, pass, sums } = options
  const heads = { starts: Int32Array.from(pack.starts, (_, text) => text), sums }
  const pooled = await linearBackward(logits, pass.pooled, classifier.out, heads)
  for (let k = 0; k < pooled.data.length; k++) pooled.data[k] = pooled.data[k]! * (1 - pass.pooled.data[k]! ** 2)
  const first = await linearBackward(pooled, pass.first, classifier.dense, heads)
  const way = { starts: pack.starts, sums }
  let states = atStarts(first, pack)
  for (let i = classifier.blocks.length - 1; i >= 0; i--)
    states = await blockBackward(states, { block: classifier.blocks[i]!, pass: pass.blocks[i]!, classifier, way })
  sums.addEmbeddings(normBackward(states, classifier.norm, pass.norm, way), pack)
}

async function blockBackward(
  gradient: Matrix64,
  { block, pass, classifier, way }: { block: Block; pass: BlockPass; classifier: Classifier; way: Way },
): Promise<Matrix64> {
  const afterMlp = normBackward(gradient, block.norm2, pass.norm2, way)
  const active = await linearBackward(afterMlp, pass.active, block.outer, way)
  geluBackward(active.data, pass.inner.data, pass.shares.data)
  const between = added(afterMlp, await linearBackward(active, pass.norm1.output, block.inner, way))
  const afterAttention = normBackward(between, block.norm1, pass.norm1, way)
  const context = await linearBackward(afterAttention, pass.attention.output, block.out, way)
  const { query, key, value } = attendBackward(context, pass.attention, {
    heads: classifier.heads,
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

/** Adds the squares of a layer's own gradients; returns that of its input. */
async function linearBackward(
  gradient: Matrix64,
  input: Matrix64,
  { weight, bias }: Linear,
  { starts, sums }: Way,
): Promise<Matrix64> {
  sums.addOuter(weight, { gradient, input, starts })
  sums.addRows(bias, gradient, starts)
  return { rows: gradient.rows, width: weight.width, data: (await product(gradient, weight)).data }
}

function normBackward(gradient: Matrix64, norm: Norm, pass: NormPass, { starts, sums }: Way): Matrix64 {
  sums.addRows(norm.weight, times(gradient, pass.normed), starts)
  sums.addRows(norm.bias, gradient, starts)
  return layerNormBackward(gradient, norm, pass)
}

/** Only the first token of each text has a gradient behind the last block. */
function atStarts({ width, data }: Matrix64, { ids, starts }: TextPack): Matrix64 {
  const out = new Float64Array(ids.length * width)
  for (let text = 0; text + 1 < starts.length; text++)
    out.set(data.subarray(text * width, (text + 1) * width), starts[text]! * width)
  return { rows: ids.length, width, data: out }
}
