import { expect, onTestFinished, test } from 'vitest'
import { openModel } from '#experiment/open'
import type { EmbedderOptions, Model } from '#model/checkpoint'
import { openStore } from '#platform/vectors'
import { carriedSnapshot } from '../../carried.ts'
import { scratchFolder } from '../../scratch.ts'

const { path } = scratchFolder()
const texts = [
  'guitar',
  'A man is playing a guitar on the stage tonight',
  'Two dogs run',
  'Rates of interest rose',
  '?',
]
const poolings = ['mean', 'cls', 'max', 'lasttoken', 'weightedmean'] as const

async function opened(cache: string): Promise<Model> {
  const model = await openModel(carriedSnapshot, { store: openStore(path(cache)) })
  onTestFinished(() => model.close())
  return model
}

async function vectors(model: Model, options: EmbedderOptions): Promise<Record<string, number[]>> {
  const found: Record<string, number[]> = {}
  for (const pooling of poolings)
    for (const h of [0, 4, 6]) {
      const embedder = await model.states?.embedder({ kind: 'state', h, pooling }, { keep: 'all', ...options })
      found[`h${h}-${pooling}`] = [...((await embedder?.embed(texts))?.data ?? [])]
    }
  const own = await model.embedder({ keep: 'all', ...options })
  return { ...found, default: [...(await own.embed(texts)).data] }
}

test('poolings that are asked for together share one pass and have the vectors of passes of their own', async () => {
  const [joint, alone] = [await opened('joint'), await opened('alone')]
  const together = await vectors(joint, { poolings: poolings.map((pooling) => [pooling]) })
  const apart = await vectors(alone, {})
  expect(together['h4-cls']).toHaveLength(texts.length * 384)
  expect(new Set(Object.values(together).map((one) => one.join())).size).toBe(poolings.length * 3 + 1)
  expect(together).toEqual(apart)
  expect([joint.states?.passed().texts, alone.states?.passed().texts]).toEqual([5, 25])
})
