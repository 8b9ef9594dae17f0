/** The forward pass of a classifier of the BERT kind. */
import type { Matrix64 } from '#core'
import { attend, type AttentionPass } from '../attention.ts'
import { normalShares } from '../gelu.ts'
import { layerNorm, type NormPass } from '../layer-norm.ts'
import { added, linear, rowsAt, times } from '../linear.ts'
import type { TextPack } from '../text-pack.ts'
import type { BertBlock, BertClassifier } from './classifier.ts'

export interface BertBlockPass {
  readonly input: Matrix64
  readonly attention: AttentionPass
  readonly norm1: NormPass
  /** Before GELU, Φ of it, and behind GELU: [tokens × inner width]. */
  readonly inner: Matrix64
  readonly shares: Matrix64
  readonly active: Matrix64
  readonly norm2: NormPass
}

export interface BertPass {
  readonly kind: 'bert'
  readonly classifier: BertClassifier
  readonly norm: NormPass
  readonly blocks: readonly BertBlockPass[]
  /** Last state of each text's first token, and it behind dense and tanh: [texts × width]. */
  readonly first: Matrix64
  readonly pooled: Matrix64
  /** [texts × labels], before the softmax. */
  readonly logits: Matrix64
}

export async function bertForward(classifier: BertClassifier, pack: TextPack): Promise<BertPass> {
  const norm = layerNorm(embedded(classifier, pack), classifier.norm, classifier.epsilon)
  const blocks: BertBlockPass[] = []
  let states = norm.output
  for (const block of classifier.blocks) {
    const pass = await blockForward(states, block, { classifier, pack })
    blocks.push(pass)
    states = pass.norm2.output
  }
  const first = rowsAt(states, pack.starts.subarray(0, -1))
  const dense = await linear(first, classifier.dense)
  const pooled = { ...dense, data: dense.data.map(Math.tanh) }
  return { kind: 'bert', classifier, norm, blocks, first, pooled, logits: await linear(pooled, classifier.out) }
}

/** Token, position and type (always 0) of each token: [tokens × width]. */
function embedded({ width, tokens, positions, types }: BertClassifier, pack: TextPack): Matrix64 {
  const rows = pack.ids.length
  const data = new Float64Array(rows * width)
  for (let r = 0; r < rows; r++) {
    const [token, position] = [pack.ids[r]! * width, pack.positions[r]! * width]
    for (let k = 0; k < width; k++)
      data[r * width + k] = tokens.data[token + k]! + positions.data[position + k]! + types.data[k]!
  }
  return { rows, width, data }
}

async function blockForward(
  input: Matrix64,
  block: BertBlock,
  { classifier, pack }: { classifier: BertClassifier; pack: TextPack },
): Promise<BertBlockPass> {
  const { epsilon, heads } = classifier
  const projected = {
    query: await linear(input, block.query),
    key: await linear(input, block.key),
    value: await linear(input, block.value),
  }
  const attention = attend(projected, { heads, keyHeads: heads, causal: false, starts: pack.starts })
  const norm1 = layerNorm(added(input, await linear(attention.output, block.out)), block.norm1, epsilon)
  const inner = await linear(norm1.output, block.inner)
  const shares = { ...inner, data: normalShares(inner.data) }
  const active = times(inner, shares)
  const norm2 = layerNorm(added(norm1.output, await linear(active, block.outer)), block.norm2, epsilon)
  return { input, attention, norm1, inner, shares, active, norm2 }
}
