import { expect, test } from 'vitest'
import type { TensorInfo } from '#core'
import { type MergeMethodName, mergeMethods } from '#model/merge-methods'
import { mergeTensor } from '../../../../src/model/merge/engine/run-tensor.ts'
import type { PlannedTensor } from '../../../../src/model/merge/plan/plan.ts'
import { philox } from '#platform/random'

// large enough for a sample, and no multiple of anything
const shape = [1031, 1031]
const count = 1031 * 1031
const info: TensorInfo = { name: 'w', dtype: 'F32', shape, byteLength: 4 * count }

function drawn(seed: string): Float32Array {
  const words = new Uint32Array(count)
  philox(seed)(0, words)
  return Float32Array.from(words, (word) => ((word & 0xffff) + (word >>> 16) - 65535) / 65536)
}

const operands = [new Float32Array(count), drawn('first'), drawn('second')]

async function merged(
  method: MergeMethodName,
  values: readonly Float32Array[],
  holdBytes: number,
): Promise<{ out: Uint8Array; passes: number }> {
  const all = Object.entries(mergeMethods[method].parameters)
  const of = (scope: string): Record<string, unknown> =>
    Object.fromEntries(
      all
        .filter(([, one]) => one.scope === scope)
        .map(([name, { fallback }]) => [name, fallback ?? (name === 'weight' ? 0.5 : null)]),
    )
  const tensor = {
    name: 'w',
    shape,
    dtype: 'F32',
    work: 'merge',
    extras: [],
    layer: undefined,
    byToken: false,
    shared: of('shared'),
    base: { input: 0, info },
    operands: [1, 2].map((input) => ({ input, info })),
    perModel: [1, 2].map(() => ({ ...of('model'), density: 0.5 })),
  } as unknown as PlannedTensor
  const out = new Uint8Array(4 * count)
  let passes = 0
  await mergeTensor(
    { method, compat: 'exact', seed: 0, dtype: undefined, vocabulary: undefined, totals: undefined },
    tensor,
    ({ input }, from, to) => {
      if (input === 0 && to === count && from < count - 2 ** 10) passes++
      return Promise.resolve(new Uint8Array(values[input]!.buffer, 4 * from, 4 * (to - from)))
    },
    (bytes, offset) => Promise.resolve(out.set(bytes, offset)),
    { holdBytes },
  )
  return { out, passes }
}

// holding a byte holds no operand: every pass reads anew
test.each(['ties', 'breadcrumbs', 'breadcrumbs_ties'] as const)(
  '%s of a tensor that was sampled is the same, a pass sooner',
  async (method) => {
    const [plain, sampled] = [await merged(method, operands, 0), await merged(method, operands, 1)]
    expect(Buffer.compare(sampled.out, plain.out)).toBe(0)
    expect([plain.passes, sampled.passes]).toEqual([3, 2])
  },
)

test('a tensor whose sample tells the wrong border is gone through as often as one without, and once more', async () => {
  // the very runs that are looked at
  const starts = Array.from({ length: 64 }, (_, run) => Math.floor(((count - 1024) * run) / 63))
  const larger = operands.map((values, k) => {
    const own = values.slice()
    if (k > 0) for (const start of starts) for (let i = start; i < start + 1024; i++) own[i]! *= 64
    return own
  })
  const [plain, sampled] = [await merged('ties', larger, 0), await merged('ties', larger, 1)]
  expect(Buffer.compare(sampled.out, plain.out)).toBe(0)
  expect([plain.passes, sampled.passes]).toEqual([3, 4])
})
