/** An opened model against a golden file: every hidden state, last state, pooler and logits at the real tokens. */
import type { TensorSource } from '#core'
import { type Model, type TokenOutput, tokensOf } from '#model/checkpoint'
import { batchOf } from './token-batch.ts'

export interface GoldenComparison {
  /** Largest absolute difference over real tokens. */
  readonly difference: number
  /** Tensors compared. */
  readonly compared: number
  /** Tensors of the golden file that the model does not give. */
  readonly missing: readonly string[]
}

/**
 * Runs the batch in `golden` (`<prefix>input_ids`, `<prefix>attention_mask`, …) and compares every output the file holds.
 * States at padding mean nothing and are left out.
 */
export async function compareWithGolden(
  model: Model,
  golden: TensorSource,
  readFloat32: (source: TensorSource, name: string) => Promise<Float32Array>,
  prefix = '',
): Promise<GoldenComparison> {
  const { batch } = await batchOf(golden, prefix)
  const wanted = golden
    .names()
    .filter((name) => name.startsWith(prefix) && /^(hidden_states\.\d+|last_hidden_state|pooler_output|logits)$/.test(name.slice(prefix.length)))
  const has = (name: string): boolean => wanted.includes(`${prefix}${name}`)
  const outputs = await tokensOf(model).run({
    batch,
    states: wanted.flatMap((name) => /hidden_states\.(\d+)$/.exec(name)?.[1] ?? []).map(Number),
    lastState: has('last_hidden_state'),
    pooler: has('pooler_output'),
    logits: has('logits'),
  })
  const byName = new Map(outputs.map((output) => [output.name, output]))
  let difference = 0
  const missing: string[] = []
  for (const name of wanted) {
    const output = byName.get(name.slice(prefix.length))
    if (output === undefined) missing.push(name)
    else difference = Math.max(difference, largestDifference(output, await readFloat32(golden, name), batch))
  }
  return { difference, compared: wanted.length - missing.length, missing }
}

function largestDifference(
  { dims, data }: TokenOutput,
  wanted: Float32Array,
  { rows, cols, attentionMask }: { rows: number; cols: number; attentionMask: Int32Array },
): number {
  if (data.length !== wanted.length) return Infinity
  const perToken = dims.length === 3
  const width = dims[dims.length - 1] ?? 1
  let largest = 0
  for (let unit = 0; unit < (perToken ? rows * cols : rows); unit++) {
    if (perToken && attentionMask[unit] === 0) continue
    for (let i = unit * width; i < (unit + 1) * width; i++) {
      const difference = Math.abs((data[i] ?? NaN) - (wanted[i] ?? NaN))
      // NaN must not pass as small.
      if (!(difference <= largest)) largest = Number.isNaN(difference) ? Infinity : difference
    }
  }
  return largest
}
