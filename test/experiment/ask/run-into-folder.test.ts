/** What a run of the harness leaves in the ledger, and whether another finds it. */
import { mkdirSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { answeredTasks, type AnsweredOptions, openData, openTasks, runIntoFolder } from '#experiment/ask'
import { listResults } from '#result/ledger'
import { scratchFolder } from '../../scratch.ts'
import { makeModel, type MadeModel } from './made-model.ts'

const { path, file } = scratchFolder()
const rows = (labels: readonly number[]): string =>
  labels.map((label, i) => `${JSON.stringify({ q: `t${i}`, options: ['yes', 'no', 'never'], label })}\n`).join('')
const choose = (more = ''): string =>
  `task: choose\ndataset_path: ${path('data')}\ntest_split: test\ndoc_to_text: q\noutput_type: multiple_choice\ndoc_to_choice: options\ndoc_to_target: "{{label}}"\n${more}`

beforeAll(() => {
  for (const folder of ['tasks', 'data']) mkdirSync(path(folder))
  file('data/test.jsonl', rows([0, 1, 0]))
  file('tasks/choose.yaml', choose())
  file(
    'tasks/text.yaml',
    `task: text\ndataset_path: ${path('data')}\ntest_split: test\ndoc_to_text: ""\ndoc_to_target: q\noutput_type: loglikelihood_rolling\n`,
  )
})

async function asking(folder: string, model: MadeModel = makeModel(), name = 'choose'): Promise<AnsweredOptions> {
  return {
    model,
    nodes: await openTasks([name], { cache: path('cache'), includePaths: [path('tasks')] }),
    settings: { bootstrapIterations: 0 },
    openDataset: openData({}),
    outputPath: path(folder),
    ledger: path(`${folder}-ledger`),
    modelName: 'org/made',
  }
}
const run = async (options: AnsweredOptions) =>
  runIntoFolder({ ...options, modelSource: 'hf', modelArgs: 'pretrained=org/made' })

describe('a result', () => {
  test('has the score per character as its main score where there is one, otherwise the first; lower perplexities are better', async () => {
    await run(await asking('both'))
    await run(await asking('both', makeModel(), 'text'))
    const listed = await listResults(path('both-ledger'))
    // ` yes`, ` no`, ` never` cost 4, 3, 6: `no` is right once of three; by characters `never` is the best, and never right
    expect(listed.map(({ task, result }) => [task, result?.scores?.['test']?.[0]])).toMatchObject([
      ['choose', { main_metric: 'acc_norm,none', main_score: 0, 'acc,none': 0.333333, documents: 3 }],
      ['text', { main_metric: 'word_perplexity,none', main_score: 7.389056, higher_is_better: false }],
    ])
    expect('higher_is_better' in (listed[0]?.result?.scores?.['test']?.[0] ?? {})).toBe(false)
  })
})

describe('stored answers', () => {
  test('is found while nothing changed, and nothing is asked for it', async () => {
    const first = await asking('found')
    expect(await answeredTasks(first)).toBeUndefined()
    const { fingerprints } = await run(first)
    const model = makeModel()
    expect(await answeredTasks(await asking('found', model))).toEqual(fingerprints)
    expect([model.asked, model.prompts]).toEqual([[], []])
  })

  test('of a group is found, with how it averages', async () => {
    file('tasks/group.yaml', 'group: both\ntask: [choose]\naggregate_metric_list: [{metric: acc}]\n')
    const { fingerprints } = await run(await asking('group', makeModel(), 'both'))
    expect(Object.keys(fingerprints).toSorted()).toEqual(['choose', 'group both'])
    expect(await answeredTasks(await asking('group', makeModel(), 'both'))).toEqual(fingerprints)
  })

  test('is not found with another model, other rows, another task file or other settings', async () => {
    await run(await asking('lost'))
    const of = async (model?: MadeModel): Promise<boolean> =>
      (await answeredTasks(await asking('lost', model))) !== undefined
    expect(await of()).toBe(true)
    expect(await of(makeModel({ identity: 'two' }))).toBe(false)
    expect(
      await answeredTasks({ ...(await asking('lost')), settings: { bootstrapIterations: 0, limit: 2 } }),
    ).toBeUndefined()
    file('data/test.jsonl', rows([0, 1, 1]))
    expect(await of()).toBe(false)
    file('data/test.jsonl', rows([0, 1, 0]))
    expect(await of()).toBe(true)
    file('tasks/choose.yaml', choose('target_delimiter: ": "\n'))
    expect(await of()).toBe(false)
  })
})
