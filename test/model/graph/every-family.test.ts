/**
 * Tiny seeded checkpoints of the families against transformers' own numbers: every state, the pooler, the logits; padded
 * on the right, and on the left with and without positions. `oracles/families.py` makes them.
 */
import { describe, expect, test } from 'vitest'
import { specOf } from '#model/architectures'
import { goldenFolder } from '../../golden-of.ts'
import { drawnSource, familyGolden, type FamilyCase } from './drawn-checkpoint.ts'
import { distance, runsOf } from './pico-golden.ts'

const cases = goldenFolder<FamilyCase>('model/architectures', 'families')

/**
 * Relative to the greatest value of an output. The reference's own float32 run is 1e-6 from its float64 run; a file with more
 * (`error`) has six times that.
 */
const tolerance = 1e-5

describe.each(cases)('$name', (file) => {
  const golden = familyGolden(file)
  test.each(runsOf(golden))('%s', async (_title, run) => {
    const spec = specOf(file.config, { place: file.name })
    const result = await distance(spec, drawnSource(file), golden, run)
    const wanted = [...golden.keys()].filter(
      (key) => key.startsWith(run) && /^(?:hidden_states|last|pooler|logits)/.test(key.slice(run.length)),
    )
    expect(result.compared.map((key) => run + key).toSorted()).toEqual(wanted.toSorted())
    expect(result).toSatisfy(({ relative }) => relative <= Math.max(tolerance, 6 * file.error))
  })
})
