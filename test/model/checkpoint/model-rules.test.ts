import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { choosePrompt, explainPrompt } from '#model/checkpoint'
import { ruleOf } from '../../../src/model/checkpoint/model-rules.ts'
import { askingTask } from '#task/rows'
import { findTasks } from '#task/registry'
import { shared, sharedPath } from '../../shared.ts'
import { goldenOf } from '../../golden-of.ts'

const golden = goldenOf<{
  cases: [model: string, task: string, side: 'plain' | 'query' | 'document', prompt: string | null][]
}>('model/checkpoint', 'mteb-prompts')

describe('prompts of models that mteb knows', () => {
  test.each([...new Set(golden.cases.map(([model]) => model))])(
    '%s: the same text as mteb 2.26.24 for every type of task and side',
    async (model) => {
      const rule = await ruleOf(model)
      expect(rule).toBeDefined()
      const choice = { prompts: {}, defaultName: undefined, ...(rule ? { rule } : {}) }
      const wrong: unknown[] = []
      for (const [, name, side, expected] of golden.cases.filter(([of]) => of === model)) {
        const [task] = (await findTasks([name], { runnable: false })).tasks
        if (task === undefined) throw new Error(name)
        const prompt = choosePrompt(choice, {
          task: askingTask(task),
          ...(side === 'plain' ? {} : { promptType: side }),
        })
        if (prompt !== expected) wrong.push([name, side, prompt, expected])
      }
      expect(wrong).toEqual([])
    },
  )

  test('a folder, and a model that mteb gives nothing, have no rule', async () => {
    expect(await ruleOf('all-MiniLM-L6-v2')).toBeUndefined()
    expect(await ruleOf('sentence-transformers/all-MiniLM-L6-v2')).toBeUndefined()
    expect(await ruleOf('constructor/x')).toBeUndefined()
  })

  test('what the user names beats them, and the plan says where a prompt comes from', async () => {
    const rule = await ruleOf('intfloat/multilingual-e5-small')
    const choice = { prompts: { query: 'own: ' }, defaultName: undefined, ...(rule ? { rule } : {}) }
    expect(explainPrompt(choice, { promptType: 'query' })).toEqual({
      text: 'query: ',
      from: 'prompt "query" of the model in mteb',
    })
    expect(explainPrompt({ ...choice, literal: 'x ' }, { promptType: 'query' })).toEqual({
      text: 'x ',
      from: '--prompt',
    })
    expect(explainPrompt({ ...choice, name: 'query' }, {})).toEqual({ text: 'own: ', from: '--prompt-name query' })
    expect(explainPrompt({ prompts: {}, defaultName: undefined }, {})).toEqual({ text: null, from: 'none' })
  })

  test.skipIf(!shared)('agree with the prompts in the metadata of models', async () => {
    const models = JSON.parse(
      readFileSync(sharedPath('specs', 'mteb_models.json'), 'utf8').replaceAll(':Infinity', ':null'),
    ) as {
      name: string
      prompts?: Record<string, string>
    }[]
    const different: string[] = []
    for (const { name, prompts } of models) {
      if (prompts === undefined) continue
      const rule = await ruleOf(name)
      if (JSON.stringify(rule?.prompts) !== JSON.stringify(prompts)) different.push(name)
    }
    // their wrappers take names of adapters where others take prompts
    expect(different).toEqual([
      'jinaai/jina-embeddings-v3',
      'jinaai/jina-embeddings-v5-text-nano',
      'jinaai/jina-embeddings-v5-text-small',
    ])
    for (const name of different) expect((await ruleOf(name))?.prompts).toEqual({})
  })
})
