import { mkdirSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { type HarnessSettings, openTasks } from '#experiment/ask'
import type { GroupNode, TaskNode } from '#task/harness'
import { groupFingerprints, nameRepresentation, taskFingerprint } from '../../../src/experiment/ask/task-identity.ts'
import { scratchFolder } from '../../scratch.ts'
import { makeModel, type Rules } from './made-model.ts'

const { path, file } = scratchFolder()
let toy: TaskNode
let other: TaskNode

beforeAll(async () => {
  mkdirSync(path('tasks'))
  const text = (name: string, until: string): string =>
    `task: ${name}\ndataset_path: data\ntest_split: test\nnum_fewshot: 2\ndoc_to_text: a\ndoc_to_target: b\ngeneration_kwargs: {until: ["${until}"]}\n`
  file('tasks/toy.yaml', text('toy', '.'))
  const node = async (): Promise<TaskNode> => {
    const [found] = await openTasks(['toy'], { cache: path('cache'), includePaths: [path('tasks')] })
    if (found?.kind !== 'task') throw new Error('no task')
    return found
  }
  toy = await node()
  file('tasks/toy.yaml', text('toy', ';'))
  other = await node()
})

const hashes = [{ doc_hash: 'd', prompt_hash: 'p', target_hash: 't' }]
const named = (settings: HarnessSettings = {}, rules: Rules = {}): string =>
  nameRepresentation({ task: toy, model: makeModel(rules), settings })

describe('the name of a result', () => {
  test('says what is not the way of the task itself', () => {
    expect(named()).toBe('logits')
    expect(named({ numFewshot: 2 })).toBe('logits')
    expect(named({ numFewshot: 0 })).toBe('logits+0shot')
    expect(named({ limit: 5 })).toBe('logits+limit5')
    expect(named({ applyChatTemplate: true, numFewshot: 1 })).toBe('logits+1shot+chat')
    expect(named({}, { dtype: 'int8' })).toBe('logits+int8')
  })

  test('is the same for defaults that are said, and for what is of other tasks', () => {
    for (const settings of [
      { seed: 0 },
      { fewshotSeed: 1234 },
      { applyChatTemplate: false, fewshotAsMultiturn: false },
      { samples: { another: [1] } },
      { bootstrapIterations: 10 },
    ])
      expect(named(settings)).toBe('logits')
    expect(named({ applyChatTemplate: true, fewshotAsMultiturn: true })).toBe('logits+chat')
  })

  test('is another for everything else that moves a score', () => {
    const all = [
      { seed: 1 },
      { fewshotSeed: 1 },
      { systemInstruction: 'Be brief.' },
      { genKwargs: { temperature: 1 } },
      { samples: { toy: [1] } },
      { samples: { toy: [2] } },
      { fewshotAsMultiturn: true },
      { limit: 5, systemInstruction: 'Be brief.' },
    ].map((settings) => named(settings))
    expect(new Set([...all, 'logits']).size).toBe(all.length + 1)
    // documents by their places are no limit
    expect(named({ samples: { toy: [1] }, limit: 5 })).toMatch(/^logits\+[0-9a-f]{6}$/)
  })
})

describe('the fingerprint of a result', () => {
  const of = ({
    task = toy,
    rules = {},
    settings = {},
    ...data
  }: {
    task?: TaskNode
    rules?: Rules
    settings?: HarnessSettings
    dataRevision?: string
    hashes?: typeof hashes
  } = {}): string =>
    taskFingerprint({ task, model: makeModel(rules), settings }, { dataRevision: 'r', hashes, ...data })

  test('changes with the model, the task file, the rows, the prompts, the targets and the settings', () => {
    const [row = { doc_hash: '', prompt_hash: '', target_hash: '' }] = hashes
    const all = [
      of(),
      of({ rules: { identity: 'two' } }),
      of({ rules: { dtype: 'int8' } }),
      of({ task: other }),
      of({ dataRevision: 's' }),
      of({ hashes: [{ ...row, doc_hash: 'x' }] }),
      of({ hashes: [{ ...row, prompt_hash: 'x' }] }),
      of({ hashes: [{ ...row, target_hash: 'x' }] }),
      of({ hashes: [...hashes, ...hashes] }),
      of({ settings: { numFewshot: 1 } }),
      of({ settings: { limit: 5 } }),
      of({ settings: { seed: 1 } }),
      of({ settings: { genKwargs: { temperature: 1 } } }),
      of({ settings: { bootstrapIterations: 10 } }),
    ]
    expect(new Set(all).size).toBe(all.length)
  })

  test('stays where nothing changes', () => expect(of()).toBe(of()))
})

describe('the fingerprint of a group', () => {
  const group = (more: Partial<GroupNode> = {}): Record<string, string> =>
    groupFingerprints([
      {
        kind: 'group',
        name: 'toys',
        alias: 'toys',
        version: 1,
        metrics: [{ metric: 'acc', weightBySize: true, filters: undefined }],
        members: [toy],
        ...more,
      },
      toy,
    ])

  test('changes with its tasks, its metrics, their weights and filters, its version; tasks have none', () => {
    const metric = { metric: 'acc', weightBySize: true, filters: undefined }
    const all = [
      group(),
      group({ members: [] }),
      group({ version: 2 }),
      group({ alias: 'others' }),
      group({ metrics: [] }),
      group({ metrics: [{ ...metric, metric: 'acc_norm' }] }),
      group({ metrics: [{ ...metric, weightBySize: false }] }),
      group({ metrics: [{ ...metric, filters: ['none'] }] }),
    ]
    expect(new Set(all.map((one) => JSON.stringify(one))).size).toBe(all.length)
    expect(Object.keys(group())).toEqual(['group toys'])
    expect(groupFingerprints([toy])).toEqual({})
  })
})
