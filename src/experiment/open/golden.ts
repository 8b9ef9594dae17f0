/** Compares a model with its golden file: every hidden state, last state, pooler and logits at the real tokens. */
import { join } from 'node:path'
import type { TensorSource } from '#core'
import { openTensors, readFloat32 } from '#files/formats'
import { type Model, type TokenOutput, tokensOf } from '#model/checkpoint'
import { openModel, type OpenModelOptions } from './open-model.ts'
import { readBatch } from './token-batch.ts'

export interface GoldenComparison {
  /** Largest absolute difference over real tokens. */
  readonly difference: number
  /** The same over the largest value of its tensor, in the worst tensor. */
  readonly relative: number
  /** Tensors compared. */
  readonly compared: number
  /** Tensors of the golden file that the model does not produce. */
  readonly missing: readonly string[]
}

/**
 * Opens the model in `folder` and compares it with the folder's `golden.safetensors`. Throws what opening and running
 * throw.
 */
export async function compareWithGolden(
  folder: string,
  options: Pick<OpenModelOptions, 'device' | 'engine' | 'dtype'> = {},
): Promise<GoldenComparison> {
  const golden = await openTensors(join(folder, 'golden.safetensors'))
  try {
    const model = await openModel(folder, options)
    try {
      return await compare(model, golden)
    } finally {
      await model.close()
    }
  } finally {
    await golden.close()
  }
}

/**
 * Runs the batch in `golden` (`input_ids`, `attention_mask`, …) and compares every output in the file. States at
 * padding have no meaning and are left out.
 */
async function compare(model: Model, golden: TensorSource): Promise<GoldenComparison> {
  const { batch } = await readBatch(golden, '')
  const wanted = golden
    .names()
    .filter((name) => /^(hidden_states\.\d+|last_hidden_state|pooler_output|logits)$/.test(name))
  const outputs = await tokensOf(model).run({
    batch,
    states: wanted.flatMap((name) => /hidden_states\.(\d+)$/.exec(name)?.[1] ?? []).map(Number),
    lastState: wanted.includes('last_hidden_state'),
    pooler: wanted.includes('pooler_output'),
    logits: wanted.includes('logits'),
  })
  const byName = new Map(outputs.map((output) => [output.name, output]))
  let [difference, relative] = [0, 0]
  const missing: string[] = []
  for (const name of wanted) {
    const output = byName.get(name)
    if (output === undefined) missing.push(name)
    else {
      const reference = await readFloat32(golden, name)
      const own = largestDifference(output, reference, batch)
      difference = Math.max(difference, own)
      relative = Math.max(relative, own / reference.reduce((most, value) => Math.max(most, Math.abs(value)), 0))
    }
  }
  return { difference, relative, compared: wanted.length - missing.length, missing }
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
