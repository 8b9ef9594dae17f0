// Looks like a mean of two models, and is none: it adds to its input and remembers the block before. A merge would
// depend on the size of blocks and the order of tensors. `strata plugin check` says so.
import { defineMergeMethod } from 'strata-lm/plugin'

let before = 0

export const drifting = defineMergeMethod({
  name: 'drifting_mean',
  base: 'none',
  inputs: [2, 2],
  parameters: {},
  streaming: 'elementwise',
  kernel: () => ({
    grain: 1,
    passes: [],
    output({ inputs: [first = [], second = []], length }, out) {
      for (let i = 0; i < length; i++) {
        out[i] = ((first[i] ?? 0) + (second[i] ?? 0)) / 2 + before / 1000
        before = first[i] = out[i] ?? 0
      }
    },
  }),
})
