/** Tasks of the harness on a model that is a rule: prompts and numbers by hand, as lm-evaluation-harness 0.4.13. */
import { mkdirSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { type HarnessRun, type HarnessSettings, openTasks, runHarness } from '#experiment/ask'
import { scratchFolder } from '../../scratch.ts'
import { makeModel, type MadeModel } from './made-model.ts'

const { path, file } = scratchFolder()

beforeAll(() => {
  mkdirSync(path('tasks'))
  mkdirSync(path('data'))
  const row = (q: string, i: number) => ({ q, options: ['yes', 'no', 'never'], label: i % 3, words: ['a', 'b'] })
  const lines = (rows: readonly object[]): string => rows.map((one) => `${JSON.stringify(one)}\n`).join('')
  file('data/train.jsonl', lines(Array.from({ length: 6 }, (_, i) => row(`q${i}`, i))))
  file('data/test.jsonl', lines(Array.from({ length: 12 }, (_, i) => row(`t${i}`, i))))
  const shared = `dataset_path: ${path('data')}\ntest_split: test\nfewshot_split: train\ndoc_to_text: "{{q}}"\n`
  const choice = `${shared}output_type: multiple_choice\ndoc_to_choice: options\ndoc_to_target: "{{label}}"\n`
  const files: Readonly<Record<string, string>> = {
    'choose.yaml': `${choice}task: choose\n`,
    'none.yaml': `${choice}task: none\nnum_fewshot: 0\n`,
    'two.yaml': `${choice}task: two\nnum_fewshot: 2\n`,
    'same.yaml': `${choice.replace('test_split: test', 'test_split: train')}task: same\n`,
    'said.yaml': `${choice}task: said\ndescription: "Say yes or no."\n`,
    'one.yaml': `${choice}task: one\nmetric_list: [{metric: acc}, {metric: brier_score}]\n`,
    'turned.yaml': `${choice}task: turned\nmetric_list: [{metric: acc, higher_is_better: false}]\n`,
    'text.yaml': `${shared}task: text\ndoc_to_target: "{{q}}"\noutput_type: loglikelihood_rolling\n`,
    'write.yaml': `${shared}task: write\ndoc_to_target: words\ngeneration_kwargs: {until: ["."], max_gen_toks: 4}\nmetric_list: [{metric: exact_match}]\n`,
    'pick.yaml': `${shared}task: pick\noutput_type: generate_until\ndoc_to_choice: options\ndoc_to_target: "{{label}}"\nmetric_list: [{metric: exact_match}]\n`,
    'group.yaml':
      'group: all\ntask: [choose, {task: two, num_fewshot: 1}]\nnum_fewshot: 3\naggregate_metric_list: [{metric: acc}]\n',
    'outer.yaml': 'group: outer\ntask: [all]\nnum_fewshot: 1\n',
    'circle.yaml': 'group: circle\ntask: [circle]\n',
    'round.yaml': 'group: round\ntask: [about]\n',
    'about.yaml': 'group: about\ntask: [round]\n',
  }
  for (const [name, text] of Object.entries(files)) file(`tasks/${name}`, text)
})

const opened = async (...names: string[]) => openTasks(names, { cache: path('cache'), includePaths: [path('tasks')] })
async function ran(
  name: string,
  settings: HarnessSettings = {},
  model: MadeModel = makeModel(),
): Promise<HarnessRun & { readonly contexts: string[] }> {
  const run = await runHarness({ model, nodes: await opened(name), settings: { bootstrapIterations: 0, ...settings } })
  return { ...run, contexts: [...new Set([...model.asked.map(({ context }) => context), ...model.prompts])] }
}
const rowsOf = ({ tasks: [first] }: HarnessRun): number[] => first?.questions.map(({ docId }) => docId) ?? []
const valuesOf = ({ tasks: [first] }: HarnessRun): Readonly<Record<string, unknown>> => first?.scores.values ?? {}

describe('the rows that are asked', () => {
  test('are the first of them: so many, or a share rounded up', async () => {
    expect(rowsOf(await ran('choose'))).toHaveLength(12)
    expect(rowsOf(await ran('choose', { limit: 5 }))).toEqual([0, 1, 2, 3, 4])
    expect(rowsOf(await ran('choose', { limit: 0.3 }))).toEqual([0, 1, 2, 3])
    expect(rowsOf(await ran('choose', { limit: 99 }))).toHaveLength(12)
  })

  test('or those whose places are named, each once, in their order', async () => {
    expect(rowsOf(await ran('choose', { samples: { choose: [5, 0, 5] } }))).toEqual([0, 5])
    expect(rowsOf(await ran('choose', { samples: { other: [5] } }))).toHaveLength(12)
    await expect(ran('choose', { samples: { choose: [12] } })).rejects.toMatchObject({ code: 'usage.value' })
  })
})

describe('prompts', () => {
  const example = (name: string): string => `${name} ${['yes', 'no', 'never'][Number(name.slice(1)) % 3]}\n\n`

  test('have the requested number of examples, otherwise the task’s own; a task with 0 keeps it', async () => {
    const shots = async (name: string, numFewshot?: number): Promise<number> =>
      (await ran(name, { numFewshot, limit: 1 })).contexts[0]?.split('\n\n').length ?? 0
    expect([await shots('choose'), await shots('choose', 3)]).toEqual([1, 4])
    expect([await shots('two'), await shots('two', 1), await shots('none', 3)]).toEqual([3, 2, 1])
  })

  test('have those that the harness draws: seed 1234 where none is given, one draw a question', async () => {
    // Random(1234).sample of six, three at a time (CPython 3.11)
    const drawn = [
      ['q3', 'q0', 'q4'],
      ['q0', 'q4', 'q5'],
      ['q5', 'q0', 'q4'],
    ]
    const { contexts } = await ran('choose', { numFewshot: 3, limit: 3 })
    expect(contexts).toEqual(drawn.map((names, i) => `${names.map(example).join('')}t${i}`))
    expect((await ran('choose', { numFewshot: 3, limit: 3, fewshotSeed: 1 })).contexts).not.toEqual(contexts)
  })

  test('of rows that are examples as well never show the row itself', async () => {
    // four of Random(1234) without the row, then three
    const { contexts, tasks } = await ran('same', { numFewshot: 3, limit: 2 })
    expect(contexts).toEqual(
      [
        ['q3', 'q4', 'q5', 'q0'],
        ['q4', 'q0', 'q5', 'q1'],
      ].map(([a = '', b = '', c = '', own = '']) => `${[a, b, c].map(example).join('')}${own}`),
    )
    expect(tasks[0]?.leaks).toBe(0)
  })

  test('begin with the system instruction and the description of the task', async () => {
    expect((await ran('said', { limit: 1 })).contexts).toEqual(['Say yes or no.t0'])
    expect((await ran('said', { limit: 1, systemInstruction: 'Be brief.' })).contexts).toEqual([
      'Be brief.\n\nSay yes or no.t0',
    ])
    expect((await ran('choose', { limit: 1, systemInstruction: 'Be brief.' })).contexts).toEqual(['Be brief.t0'])
  })
})

describe('numbers', () => {
  test('of choices: the most probable, and the most probable a character', async () => {
    // ` yes`, ` no`, ` never` cost 4, 3, 6; by the characters of the choice 4/3, 3/2, 6/5. Right are yes, then no.
    const { tasks } = await ran('choose', { limit: 2 })
    expect(tasks[0]?.scores.values).toMatchObject({ 'acc,none': 1 / 2, 'acc_norm,none': 0 })
    expect(tasks[0]?.higherIsBetter).toEqual({ acc: true, acc_norm: true })
    expect([tasks[0]?.scores.size, tasks[0]?.documents]).toEqual([2, 12])
  })

  test('are none of predictions alone, behind which there is no document', async () => {
    const { tasks } = await ran('choose', { predictOnly: true })
    expect([tasks[0]?.scores.values, tasks[0]?.scores.size, tasks[0]?.questions.length]).toEqual([{}, 0, 12])
  })

  test('have the direction of the metric, unless the file says another', async () => {
    expect((await ran('one')).tasks[0]?.higherIsBetter).toEqual({ acc: true, brier_score: false })
    expect((await ran('turned')).tasks[0]?.higherIsBetter).toEqual({ acc: false })
  })

  test('of whole texts: nats by words, by bytes, in bits, of which less is better', async () => {
    // t0 … t11 are one word each, and 2 · 10 + 3 · 2 bytes; every byte costs a nat
    const run = await ran('text')
    expect(run.tasks[0]?.higherIsBetter).toEqual({
      word_perplexity: false,
      byte_perplexity: false,
      bits_per_byte: false,
    })
    const values = valuesOf(run)
    expect(values['word_perplexity,none']).toBeCloseTo(Math.exp(26 / 12), 12)
    expect(values['byte_perplexity,none']).toBeCloseTo(Math.E, 12)
    expect(values['bits_per_byte,none']).toBeCloseTo(1 / Math.LN2, 12)
  })

  test('of written texts: any of several targets is right, and a choice by its place', async () => {
    const written = async (name: string, text: string): Promise<unknown> =>
      valuesOf(await ran(name, {}, makeModel({ write: () => text })))['exact_match,none']
    expect([await written('write', 'a'), await written('write', 'b'), await written('write', 'c')]).toEqual([1, 1, 0])
    expect([await written('pick', 'no'), await written('pick', 'maybe')]).toEqual([4 / 12, 0])
  })
})

describe('groups', () => {
  const shots = ({ tasks }: HarnessRun): unknown => tasks.map(({ task, numFewshot }) => [task.name, numFewshot])

  test('hand down what they say, a member says more, and an outer group most', async () => {
    expect(shots(await ran('all', { limit: 1 }))).toEqual([
      ['choose', 3],
      ['two', 1],
    ])
    expect(shots(await ran('outer', { limit: 1 }))).toEqual([
      ['choose', 1],
      ['two', 1],
    ])
  })

  test('weigh their tasks by documents where they do not say', async () => {
    const [all] = (await opened('all')).flatMap((node) => (node.kind === 'group' ? [node] : []))
    expect(all?.metrics).toEqual([{ metric: 'acc', weightBySize: true, filters: undefined }])
  })

  test('that contain themselves are refused, and a task that is reached twice', async () => {
    for (const name of ['circle', 'round']) await expect(opened(name)).rejects.toMatchObject({ code: 'usage.value' })
    await expect(opened('choose', 'choose')).rejects.toMatchObject({ code: 'usage.conflict' })
    await expect(opened('all', 'two')).rejects.toMatchObject({ code: 'usage.conflict' })
  })
})
