/**
 * Configuration keys that SOURCE.md names as pinned: changed as described there (number doubled, whole number + 2, flag
 * flipped, activation swapped, list made uniform), the values must move by more than 1e-4, or the model must be
 * refused. A key that is silently ignored fails here.
 */
import { describe, expect, test } from 'vitest'
import { specOf } from '#model/architectures'
import { Fault } from '#core'
import { shared } from '../../shared.ts'
import { distance, goldenFolders, pico, readConfig, readGolden, runsOf, sourceRows } from './pico-golden.ts'
import { fileSource } from './safetensors-source.ts'

const smallest = 1e-4

/** Listed, but without meaning where positions come from alibi alone: the reference has no rotary positions there. */
const unused = new Set(['falcon-rw max_position_embeddings', 'falcon-rw rope_theta'])

const pinned = sourceRows()
  .filter((cells) => cells.length === 4 && goldenFolders.includes(cells[1] ?? ''))
  .flatMap(([, folder = '', keys = '']) => keys.split(',').map((key) => ({ folder, key: key.trim() })))
  .filter(({ folder, key }) => !unused.has(`${folder} ${key}`))

const activations: Record<string, string> = {
  gelu: 'relu',
  gelu_new: 'relu',
  gelu_fast: 'relu',
  gelu_pytorch_tanh: 'relu',
  relu: 'gelu',
  silu: 'relu',
}
const words: Record<string, unknown> = { 'p2c|c2p': 'c2p', 'gated-gelu': 'relu' }

/** What transformers takes where a pinned key is left out of the file. */
const defaults: Record<string, unknown> = {
  max_window_layers: 28,
  rope_theta: 10_000,
  layer_norm_epsilon: 1e-5,
  apply_residual_connection_post_layernorm: false,
  use_bidirectional_attention: false,
}

function changed(value: unknown): unknown {
  if (typeof value === 'boolean') return !value
  if (typeof value === 'number') return Number.isInteger(value) && value < 1000 ? value + 2 : value * 2
  if (typeof value === 'string') return activations[value] ?? words[value]
  if (Array.isArray(value)) return value.map(() => (value as unknown[]).at(-2))
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, scaled(inner)]))
  return undefined
}

function scaled(value: unknown): unknown {
  if (typeof value === 'number') return value * 2
  return Array.isArray(value) ? value.map((item: unknown) => scaled(item)) : value
}

describe.skipIf(shared === undefined)('a pinned configuration key is not ignored', () => {
  test('keys are listed', () => {
    expect(pinned.length).toBeGreaterThan(150)
  })

  test.each(pinned)('$folder › $key', async ({ folder, key }) => {
    const config = readConfig(folder)
    const value = changed(config[key] ?? defaults[key])
    expect(value).toBeDefined()
    expect(await movement(folder, { ...config, [key]: value })).toBeGreaterThan(smallest)
  })
})

/** How far a changed config moves a model from its golden values; a fault, as a refusal, counts as infinitely far. */
async function movement(folder: string, config: unknown): Promise<number> {
  const golden = readGolden(folder)
  try {
    const spec = specOf(config, { place: folder })
    for (const [, run] of runsOf(golden)) {
      const { difference } = await distance(spec, fileSource(pico(folder, 'model.safetensors')), golden, run)
      if (difference > smallest) return difference
    }
    return 0
  } catch (error) {
    if (error instanceof Fault) return Infinity
    throw error
  }
}
