import { describe, expect, test } from 'vitest'
import { referenceIndex, specOf, stateAt } from '#model/architectures'
import { llamaConfig } from './small-configs.ts'

const llama = specOf(llamaConfig)
const mamba = specOf({ model_type: 'mamba', hidden_size: 32, num_hidden_layers: 3, vocab_size: 9 })
const canine = specOf({ model_type: 'canine', hidden_size: 32, num_hidden_layers: 4, num_attention_heads: 4 })

describe("the reference's numbering of hidden states", () => {
  test('is ours where it begins with the embeddings', () => {
    expect([0, 1, 2].map((h) => referenceIndex(llama, h))).toEqual([0, 1, 2])
    expect(referenceIndex(llama, 'last')).toBeUndefined()
  })

  test('of Mamba leaves out the embeddings and ends with the normed state', () => {
    expect([0, 1, 2, 3].map((h) => referenceIndex(mamba, h))).toEqual([undefined, 0, 1, 2])
    expect(referenceIndex(mamba, 'last')).toBe(3)
  })

  test('of CANINE has states of its inner blocks, which are none of ours', () => {
    expect([0, 1, 2, 3].map((h) => referenceIndex(canine, h))).toEqual([0, 1, 7, 8])
    expect([2, 6, 7, 8, 9].map((index) => stateAt(canine, index))).toEqual([undefined, undefined, 2, 3, undefined])
  })

  test.each([llama, mamba])('$title: every entry has a state and finds its way back', (spec) => {
    for (let index = 0; index <= spec.layers; index++) {
      const state = stateAt(spec, index)
      expect(state === undefined ? undefined : referenceIndex(spec, state)).toBe(index)
    }
    expect(stateAt(spec, spec.layers + 1)).toBeUndefined()
    expect(stateAt(spec, -1)).toBeUndefined()
  })
})
