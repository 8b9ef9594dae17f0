import { describe, expect, test } from 'vitest'
import { roundingOf } from '../../../src/model/merge/engine/storage-rounding.ts'
import { type MergeMethodName, mergeMethods } from '#model/merge-methods'
import { run } from './run-kernel.ts'
import { goldenOf } from '../../golden-of.ts'

interface Golden {
  made_with: Record<string, string>
  shape: number[]
  tensors: Record<'bfloat16' | 'float16', { base: number[]; inputs: number[][] }>
  cases: {
    dtype: 'bfloat16' | 'float16'
    method: MergeMethodName
    name: string
    base: boolean
    inputs: number
    params: object
    expected: (number | null)[]
  }[]
}

// mergekit 0.1.4 on torch 2.15: oracles/merge_rounded.py
const golden = goldenOf<Golden>('model/merge-methods', 'rounded')

describe('16-bit tensors under mergekit-0.1.4', () => {
  test.each(golden.cases)('$method, $name, $dtype', async ({ dtype, method, base, inputs, params, expected }) => {
    const { base: own, inputs: all } = golden.tensors[dtype]
    const stored = dtype === 'bfloat16' ? 'BF16' : 'F16'
    // one input twice where the case asks for one of a method of two
    const given = inputs === 1 && mergeMethods[method].inputs[0] === 2 ? [all[0]!, all[0]!] : all.slice(0, inputs)
    const { values } = await run(mergeMethods[method], {
      shape: golden.shape,
      base: base ? own : undefined,
      inputs: given,
      params: params as Record<string, unknown>,
      compat: 'mergekit-0.1.4',
      round: roundingOf('mergekit-0.1.4', stored),
      dtype: 'f32',
      grains: method === 'nuslerp' ? 7 : 1,
    })
    // What is rounded at every step has no second answer. (A sum between two 16-bit numbers might fall to either side;
    // none of these does.) Where there is NaN there – null in the file – is a number here.
    const numbers = expected.flatMap((value, i) => (value === null ? [] : [i]))
    expect(numbers.map((i) => values[i])).toEqual(numbers.map((i) => expected[i]))
    expect(values.every(Number.isFinite)).toBe(true)
  })
})
