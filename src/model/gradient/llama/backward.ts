/** The way back through a classifier of the LLaMA kind. */
import type { Matrix64 } from '#core'
import { attendBackward } from '../attention.ts'
import { added, rowsInto, times } from '../linear.ts'
import type { Parameter } from '../parameters.ts'
import { rmsNormBackward, type RmsNormPass } from '../rms-norm.ts'
import { turnedBackward, type Turns } from '../rotary.ts'
import { siluBackward } from '../silu.ts'
import { type BackwardOptions, headWay, linearBackward, type WayBack } from '../way-back.ts'
import type { LlamaBlock, LlamaClassifier } from './classifier.ts'
import { lastTokens, type LlamaBlockPass, type LlamaPass } from './forward.ts'

export async function llamaBackward(logits: Matrix64, { pack, pass, sums }: BackwardOptions<LlamaPass>): Promise<void> {
  const { classifier, turns } = pass
  const head = headWay(pack, sums)
  const last = await linearBackward(logits, pass.norm.output, classifier.out, head)
  const { ids, starts } = pack
  const way = { starts, sums }
  // only the last token of each text has a gradient behind the last block
  let states = rowsInto(normBackward(last, classifier.norm, pass.norm, head), lastTokens(pack), ids.length)
  for (let i = classifier.blocks.length - 1; i >= 0; i--)
    states = await blockBackward(states, {
      block: classifier.blocks[i]!,
      pass: pass.blocks[i]!,
      classifier,
      turns,
      way,
    })
  sums.addTable(classifier.tokens, states, { rows: ids, starts })
}

interface BlockBackwardOptions {
  readonly block: LlamaBlock
  readonly pass: LlamaBlockPass
  readonly classifier: LlamaClassifier
  readonly turns: Turns
  readonly way: WayBack
}

async function blockBackward(gradient: Matrix64, options: BlockBackwardOptions): Promise<Matrix64> {
  const between = added(gradient, await mlpBackward(gradient, options))
  return added(between, await attentionBackward(between, options))
}

async function mlpBackward(gradient: Matrix64, { block, pass, way }: BlockBackwardOptions): Promise<Matrix64> {
  const active = await linearBackward(gradient, pass.active, block.down, way)
  const [gate, up] = [times(active, pass.up), times(active, pass.opened)]
  siluBackward(gate.data, pass.gate.data, pass.shares.data)
  const { output } = pass.norm2
  const read = added(
    await linearBackward(gate, output, block.gate, way),
    await linearBackward(up, output, block.up, way),
  )
  return normBackward(read, block.norm2, pass.norm2, way)
}

async function attentionBackward(
  gradient: Matrix64,
  { block, pass, classifier, turns, way }: BlockBackwardOptions,
): Promise<Matrix64> {
  const { heads, keyHeads } = classifier
  const context = await linearBackward(gradient, pass.attention.output, block.out, way)
  const { query, key, value } = attendBackward(context, pass.attention, {
    heads,
    keyHeads,
    causal: true,
    starts: way.starts,
  })
  const { output } = pass.norm1
  const byQuery = await linearBackward(turnedBackward(query, turns), output, block.query, way)
  const byKey = await linearBackward(turnedBackward(key, turns), output, block.key, way)
  const byValue = await linearBackward(value, output, block.value, way)
  return normBackward(added(added(byQuery, byKey), byValue), block.norm1, pass.norm1, way)
}

function normBackward(gradient: Matrix64, weight: Parameter, pass: RmsNormPass, { starts, sums }: WayBack): Matrix64 {
  sums.addRows(weight, times(gradient, pass.normed), starts)
  return rmsNormBackward(gradient, weight, pass)
}
