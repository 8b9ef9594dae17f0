/** The forward pass of a classifier of the LLaMA kind. */
import type { Matrix64 } from '#core'
import { attend, type AttentionPass } from '../attention.ts'
import { added, linear, rowsAt, times } from '../linear.ts'
import { rmsNorm, type RmsNormPass } from '../rms-norm.ts'
import { turned, type Turns, turnsAt } from '../rotary.ts'
import { logisticShares } from '../silu.ts'
import type { TextPack } from '../text-pack.ts'
import type { LlamaBlock, LlamaClassifier } from './classifier.ts'

export interface LlamaBlockPass {
  /** Its output is the input of query, key and value. */
  readonly norm1: RmsNormPass
  /** With queries and keys turned. */
  readonly attention: AttentionPass
  /** Its output is the input of gate and up. */
  readonly norm2: RmsNormPass
  /** Before SiLU, σ of it, and behind SiLU; the factor `up`, and the product: [tokens × inner width]. */
  readonly gate: Matrix64
  readonly shares: Matrix64
  readonly opened: Matrix64
  readonly up: Matrix64
  readonly active: Matrix64
}

export interface LlamaPass {
  readonly kind: 'llama'
  readonly classifier: LlamaClassifier
  readonly turns: Turns
  readonly blocks: readonly LlamaBlockPass[]
  /** Over the last state of each text's last token: [texts × width]. */
  readonly norm: RmsNormPass
  /** [texts × labels], before the softmax. */
  readonly logits: Matrix64
}

export async function llamaForward(classifier: LlamaClassifier, pack: TextPack): Promise<LlamaPass> {
  const turns = turnsAt(pack.positions, classifier)
  const blocks: LlamaBlockPass[] = []
  let states = rowsAt(classifier.tokens, pack.ids)
  for (const block of classifier.blocks) {
    const { pass, output } = await blockForward(states, block, { classifier, turns, starts: pack.starts })
    blocks.push(pass)
    states = output
  }
  const norm = rmsNorm(rowsAt(states, lastTokens(pack)), classifier.norm, classifier.epsilon)
  return { kind: 'llama', classifier, turns, blocks, norm, logits: await linear(norm.output, classifier.out) }
}

/** Row of each text's last token. */
export function lastTokens({ starts }: TextPack): Int32Array {
  return starts.subarray(1).map((end) => end - 1)
}

async function blockForward(
  input: Matrix64,
  block: LlamaBlock,
  { classifier, turns, starts }: { classifier: LlamaClassifier; turns: Turns; starts: Int32Array },
): Promise<{ pass: LlamaBlockPass; output: Matrix64 }> {
  const { epsilon, heads, keyHeads } = classifier
  const norm1 = rmsNorm(input, block.norm1, epsilon)
  const projected = {
    query: turned(await linear(norm1.output, block.query), turns),
    key: turned(await linear(norm1.output, block.key), turns),
    value: await linear(norm1.output, block.value),
  }
  const attention = attend(projected, { heads, keyHeads, causal: true, starts })
  const between = added(input, await linear(attention.output, block.out))
  const norm2 = rmsNorm(between, block.norm2, epsilon)
  const gate = await linear(norm2.output, block.gate)
  const up = await linear(norm2.output, block.up)
  const shares = { ...gate, data: logisticShares(gate.data) }
  const opened = times(gate, shares)
  const active = times(opened, up)
  const output = added(between, await linear(active, block.down))
  return { pass: { norm1, attention, norm2, gate, shares, opened, up, active }, output }
}
