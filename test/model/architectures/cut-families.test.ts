/** The first block of every drawn checkpoint of a family: its config alone says it, and its states are the first ones. */
import { describe, expect, test } from 'vitest'
import { Fault } from '#core'
import { cutConfig, specOf } from '#model/architectures'
import { goldenFolder } from '../../golden-of.ts'
import { drawnSource, familyGolden, type FamilyCase } from '../graph/drawn-checkpoint.ts'
import { distance, type Golden } from '../graph/pico-golden.ts'

const files = goldenFolder<FamilyCase>('model/architectures', 'families').filter(
  (file) => specOf(file.config, { place: file.name }).layers > 1,
)

/**
 * Configs that have no words for fewer layers: a pattern of layers, factors that go by their number, a bias of the last
 * one, a section of its own for the encoder, blocks on fewer rows.
 */
const uncut: readonly string[] = [
  'canine',
  'canine-classifier',
  'esmc',
  'esmc-sequence',
  'gemma3n',
  'funnel',
  'funnel-base',
  'funnel-classifier',
  'funnel-factorized',
  'funnel-masked',
  'funnel-maximum',
  'funnel-one',
  'funnel-whole',
  'gemma3n_text',
  'gemma3n_text-shared',
  'gemma4',
  'gemma4-experts',
  'gemma4_text',
  'gemma4_text-all',
  'gemma4_text-experts',
  'gemma4_text-experts-all',
  'gemma4_text-shared',
  'gemma4_unified',
  'gemma4_unified_text',
  'gpt_neox_japanese',
  'gpt_neox_japanese-partial',
  'granite_swa',
  'granitemoe_swa',
  'minicpm3',
  'minicpm3-plain',
  't5gemma',
  't5gemma-classifier',
  't5gemma2',
]

describe.each(files)('$name', (file) => {
  test.skipIf(uncut.includes(file.name))('states of a cut model are the first of the whole', async () => {
    const { spec } = cutConfig(file.config, 1, file.name)
    // the whole model has its final norm after the blocks that were cut off
    const raw = { ...spec, final: { ...spec.final, norm: false, project: undefined } }
    const whole = familyGolden(file)
    const golden: Golden = new Map(
      [...whole].filter(([name]) => /^(?:input_ids|attention_mask|token_type_ids|hidden_states\.[01])$/.test(name)),
    )
    const { compared, relative } = await distance(raw, drawnSource(file), golden, '', { request: { lastState: false } })
    expect(compared).toContain('hidden_states.0')
    expect(relative).toBeLessThanOrEqual(Math.max(1e-5, 6 * file.error))
  })

  test.skipIf(!uncut.includes(file.name))('is refused', () => {
    expect(() => cutConfig(file.config, 1, file.name)).toThrow(Fault)
  })
})
