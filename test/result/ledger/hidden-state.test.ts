import { expect, test } from 'vitest'
import { hiddenState } from '#result/ledger'

test.each([
  ['h4', 4],
  ['h10', 10],
  ['h4+len128+int8', 4],
  // another pooling, and what only begins like a state
  ['h4-cls', undefined],
  ['h4x', undefined],
  ['default', undefined],
  ['mean:0-1', undefined],
  ['xh4', undefined],
  ['h', undefined],
])('%s is the state %s', (name, state) => expect(hiddenState(name)).toBe(state))
