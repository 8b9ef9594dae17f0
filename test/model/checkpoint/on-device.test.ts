import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openModel } from '#experiment/open'
import { languageModelOf } from '#model/checkpoint'
import { devices } from '#platform/runtime'
import { openStore } from '#platform/vectors'
import { scratchFolder } from '../../scratch.ts'
import { bertConfig } from '../architectures/small-configs.ts'
import { bertTensors } from '../graph/plain-forward.ts'
import { wordLevelJson } from '../tokenizer/small-tokenizers.ts'
import { type TestTensor, writeRepo } from './made-repo.ts'

const { path } = scratchFolder()
const cuda = (await devices()).find(({ name }) => name === 'cuda')

describe.skipIf(cuda?.available === true)('a model on a device that is not here', () => {
  test('is named and kept apart from the processor’s: its vectors are not those that are kept', async () => {
    const folder = path('bert')
    await writeRepo(folder, {
      'config.json': bertConfig,
      'tokenizer.json': wordLevelJson(),
      'model.safetensors': Object.fromEntries(
        Object.entries(bertTensors).map(([name, { shape, data }]): [string, TestTensor] => [
          name,
          { shape, values: data },
        ]),
      ),
    })
    const store = openStore(path('vectors'))
    const onProcessor = await openModel(folder, { store })
    expect((await (await onProcessor.embedder()).embed(['hello world'])).rows).toBe(1)
    await onProcessor.close()

    for (const [device, dtype, overrides] of [
      ['cuda', undefined, ['cuda']],
      ['cuda:1', 'float16', ['cuda', 'f16']],
    ] as const) {
      const model = await openModel(folder, { store, device, dtype })
      expect(model.overrides).toEqual(overrides)
      await expect((await model.embedder()).embed(['hello world'])).rejects.toMatchObject({
        code: 'engine.device',
        parts: { place: device, seen: cuda?.reason },
      })
      await model.close()
    }
  })

  test('answers with an identity of its own for each device and type', async () => {
    const folder = join(import.meta.dirname, '..', '..', '..', 'assets', 'models', 'stories260K')
    const facts = []
    for (const options of [{}, { device: 'cuda' }, { device: 'cuda', dtype: 'bfloat16' }] as const) {
      const model = await openModel(folder, options)
      facts.push((await languageModelOf(model, folder)).facts)
      await model.close()
    }
    expect(facts.map(({ device, dtype }) => [device, dtype])).toEqual([
      ['cpu', 'f32'],
      ['cuda', 'f32'],
      ['cuda', 'bf16'],
    ])
    expect(new Set(facts.map(({ identity }) => identity)).size).toBe(3)
  })
})
