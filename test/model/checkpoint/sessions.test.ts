import { expect, test } from 'vitest'
import { openModelParts } from '#model/checkpoint'
import { scratchFolder } from '../../scratch.ts'
import { bertConfig } from '../architectures/configs.ts'
import { countingSource } from '../graph/located.ts'
import { bertTensors } from '../graph/plain-forward.ts'
import { memorySource } from '../graph/safetensors-source.ts'
import { wordLevelJson } from '../tokenizer/small.ts'
import { writeRepo } from './repo.ts'

const { path } = scratchFolder()

test('a model writes the graph of each request once, however often and by whichever way it is asked', async () => {
  const files = await writeRepo(path('bert'), { 'config.json': bertConfig, 'tokenizer.json': wordLevelJson() })
  const { source, located } = countingSource(memorySource(bertTensors))
  const model = await openModelParts({ name: 'bert', revision: async () => 'main', files, body: files, tensors: source })
  const written = (): number => Math.max(0, ...located.values())
  try {
    expect(await model.memoryBytes()).toBeGreaterThan(0)
    expect(written()).toBe(0)
    const all = Array.from({ length: model.states }, (_, h) => h)
    const [vectors, encoder] = await Promise.all([model.layerVectors(), model.encoder(all)])
    await vectors?.ensure(['hello', 'world'], null)
    await encoder.encode(['hello'], null, {})
    await (await model.embedder({ kind: 'state', h: 1 })).embed(['hello world'])
    expect(written()).toBe(1)
    await (await model.embedder({ kind: 'default' }, 'last')).embed(['world hello'])
    expect(written()).toBe(2)
  } finally {
    await model.close()
  }
})
