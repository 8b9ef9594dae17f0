import { expect, test } from 'vitest'
import { openModelParts, statesOf } from '#model/checkpoint'
import { scratchFolder } from '../../scratch.ts'
import { bertConfig } from '../architectures/small-configs.ts'
import { countingSource } from '../graph/located.ts'
import { bertTensors } from '../graph/plain-forward.ts'
import { memorySource } from '../graph/safetensors-source.ts'
import { wordLevelJson } from '../tokenizer/small-tokenizers.ts'
import { writeRepo } from '../checkpoint/made-repo.ts'

const { path } = scratchFolder()

test('a model writes the graph of each request once, however often and by whichever way it is asked', async () => {
  const files = await writeRepo(path('bert'), { 'config.json': bertConfig, 'tokenizer.json': wordLevelJson() })
  const { source, located } = countingSource(memorySource(bertTensors))
  const model = await openModelParts({
    name: 'bert',
    revision: async () => 'main',
    files,
    body: files,
    tensors: source,
  })
  const written = (): number => Math.max(0, ...located.values())
  try {
    const states = statesOf(model)
    expect(await model.memoryBytes()).toBeGreaterThan(0)
    expect(written()).toBe(0)
    const all = Array.from({ length: states.count }, (_, h) => h)
    const [vectors, encoder] = await Promise.all([states.vectors(), states.encoder(all)])
    await vectors.ensure({ texts: ['hello', 'world'], prompt: null }, 'all')
    await encoder.encode(['hello'], null, {})
    await (await states.embedder({ kind: 'state', h: 1 }, { keep: 'all' })).embed(['hello world'])
    expect(written()).toBe(1)
    await (await model.embedder()).embed(['world hello'])
    expect(written()).toBe(2)
  } finally {
    await model.close()
  }
})
