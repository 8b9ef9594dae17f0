import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { code, f64x2, func, i32, i32x4, kernel, local, loop, sizedKernel, v128 } from '#platform/wasm'

const textsBelow = (folder: string): [path: string, text: string][] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => [path, readFileSync(join(folder, path), 'utf8')])

describe('a kernel', () => {
  const made = kernel(
    { bytes: ['u8', 5], words: ['u32', 3], values: ['f64', 8192], sums: ['f64', 2] },
    ({ words, values, sums }) => ({
      sum: func(['i32', 'i32', 'f64'], (declare, [at, end, factor]) => {
        const total = declare()
        return code(
          loop(at, 16, end, local.set(total, f64x2.add(total, f64x2.mul(v128.load(at, values), f64x2.splat(factor))))),
          v128.store(i32.const(0), total, sums),
        )
      }),
      fill: func(['i32'], (_, [value]) => v128.store(i32.const(0), i32x4.splat(value), words)),
    }),
  )

  test('is made once, of arrays of their types and lengths that begin at multiples of 16 bytes', () => {
    const work = made()
    expect(made()).toBe(work)
    expect(
      [work.bytes, work.words, work.values, work.sums].map((array) => [
        array.constructor,
        array.length,
        array.byteOffset,
      ]),
    ).toEqual([
      [Uint8Array, 5, 0],
      [Uint32Array, 3, 16],
      [Float64Array, 8192, 32],
      [Float64Array, 2, 32 + 2 ** 16],
    ])
  })

  test('computes in its arrays', () => {
    const { values, sums, sum, words, fill } = made()
    values.set([1, 2, 3, 4])
    sum(0, 32, 0.5)
    expect(Array.from(sums)).toEqual([2, 3])
    fill(-300)
    expect(Array.from(words)).toEqual([2 ** 32 - 300, 2 ** 32 - 300, 2 ** 32 - 300])
  })
})

const source = join(import.meta.dirname, '..', '..', '..', 'src')

test('every kernel has a test that holds it to its plain loop', () => {
  const kernels = textsBelow(source).filter(
    ([path, text]) =>
      !path.startsWith('platform/wasm/') &&
      /import \{[^}]*\b(kernel|sizedKernel)\b[^}]*\} from '#platform\/wasm'/.test(text),
  )
  const held = textsBelow(join(source, '..', 'test')).flatMap(([, text]) =>
    [...text.matchAll(/\bsameBits\(\s*'([^']+)'/g)].map(([, path]) => path),
  )
  expect(new Set(held)).toEqual(new Set(kernels.map(([path]) => path)))
})

test('no instruction is written as a number outside the room', () => {
  const users = textsBelow(source).filter(
    ([path, text]) => !path.startsWith('platform/wasm/') && text.includes("'#platform/wasm'"),
  )
  expect(users.filter(([, text]) => /\[0x[0-9a-f]{2}[,\]]/.test(text)).map(([path]) => path)).toEqual([])
})

describe('a kernel of a size', () => {
  const fill = sizedKernel(() => ({
    fill: func(['i32'], (_, [value]) => v128.store(i32.const(0), i32x4.splat(value))),
  }))

  test('has memory of its own until it is released, then lends it again, all 0', () => {
    const [first, second] = [fill(16), fill(16)]
    expect(second.memory).not.toBe(first.memory)
    first.fill(7)
    expect(new Int32Array(second.memory, 0, 4)).toEqual(new Int32Array(4))
    first.release()
    const again = fill(16)
    expect(again.memory).toBe(first.memory)
    expect(new Int32Array(again.memory, 0, 4)).toEqual(new Int32Array(4))
  })

  test('does not lend what is too small', () => {
    const small = fill(2 ** 16)
    small.release()
    const great = fill(2 ** 16 + 1)
    expect(great.memory).not.toBe(small.memory)
    expect(great.memory.byteLength).toBe(2 ** 17)
  })
})
