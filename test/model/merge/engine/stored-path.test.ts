import { expect, test } from 'vitest'
import { philox } from '#platform/random'
import type { TensorInfo } from '#core'
import { narrow, widen } from '#files/formats'
import { type MergeMethodName, mergeMethods } from '#model/merge-methods'
import type { PlannedTensor } from '../../../../src/model/merge/plan/plan.ts'
import { mergeTensor } from '../../../../src/model/merge/engine/run-tensor.ts'
import { run } from '../../merge-methods/run-kernel.ts'

// beyond the size up to which statistics look at every element, and no multiple of anything
const shape = [1031, 521]
const count = 1031 * 521
const info: TensorInfo = { name: 'w', dtype: 'BF16', shape, byteLength: 2 * count }

function drawn(seed: string): Uint8Array {
  const words = new Uint32Array(count)
  philox(seed)(0, words)
  return new Uint8Array(Uint16Array.from(words, (word) => (word & 0x83ff) | 0x3c00).buffer)
}

const stored = ['base', 'first', 'second'].map(drawn)
const values = stored.map((bytes) => Array.from(widen(bytes, 'BF16')))
const [base, first, second] = [0, 1, 2].map((input) => ({ input, info }))
const weights = { weight: [0.6, 0.3] }

async function merged(
  method: MergeMethodName,
  withBase: boolean,
  inputs: readonly number[],
  params: Record<string, unknown>,
  blockElements: number,
): Promise<Uint8Array> {
  const resolved = Object.entries(mergeMethods[method].parameters)
  const shared = resolved
    .filter(([, { scope }]) => scope === 'shared')
    .map(([name, { fallback }]) => [name, params[name] ?? fallback ?? null])
  const own = (k: number): [string, unknown][] =>
    resolved
      .filter(([, { scope }]) => scope === 'model')
      .map(([name, { fallback }]) => [name, (params[name] as number[] | undefined)?.[k] ?? fallback ?? null])
  const tensor = {
    name: 'w',
    shape,
    dtype: 'BF16',
    work: 'merge',
    base: withBase ? base : undefined,
    operands: inputs.map((input) => [base, first, second][input]),
    shared: Object.fromEntries(shared),
    perModel: inputs.map((_, k) => Object.fromEntries(own(k))),
    extras: [],
    layer: undefined,
    byToken: false,
  } as unknown as PlannedTensor
  const out = new Uint8Array(2 * count)
  const { statistics } = await mergeTensor(
    { method, compat: 'exact', seed: 0, dtype: undefined, vocabulary: undefined, totals: undefined },
    tensor,
    ({ input }, from, to) => Promise.resolve(stored[input]!.subarray(2 * from, 2 * to)),
    (bytes, offset) => Promise.resolve(out.set(bytes, offset)),
    { blockElements },
  )
  expect(statistics?.elements).toBeGreaterThan(count / 4)
  return out
}

test.each<[MergeMethodName, boolean, number[], Record<string, unknown>]>([
  ['linear', false, [1, 2], weights],
  ['slerp', true, [1], { t: 0.4 }],
  ['task_arithmetic', true, [1, 2], weights],
])(
  '%s of large bfloat16 tensors has the bits of its kernel, whatever the blocks',
  async (method, withBase, inputs, params) => {
    const given = {
      shape,
      base: withBase ? values[0]! : undefined,
      inputs: inputs.map((input) => values[input]!),
      params,
      dtype: 'f32' as const,
    }
    const want = narrow(Float32Array.from((await run(mergeMethods[method], given)).values), 'BF16')
    for (const blockElements of [2 ** 17, 70_001, 2 ** 20])
      expect(Buffer.compare(await merged(method, withBase, inputs, params, blockElements), want)).toBe(0)
  },
)
