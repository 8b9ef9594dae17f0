/**
 * Experiment files that ask the harness and probe layers: the same numbers as by the commands, jobs that change with
 * what moves a score.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { scratchFolder } from '../scratch.ts'
import { strata } from './program.ts'

const { path, file } = scratchFolder()
const model = join(import.meta.dirname, '..', '..', 'assets', 'models', 'stories260K')
const env = { STRATA_LM_EVAL: path('none') }
const options = ['a cat', 'a dog', 'a ball']

beforeAll(() => {
  for (const folder of ['tasks', 'data', 'pairs']) mkdirSync(path(folder))
  for (const split of ['train', 'test'])
    file(
      `data/${split}.jsonl`,
      Array.from({ length: 10 }, (_, i) =>
        JSON.stringify({ question: `Lily saw ${split} ${i}:`, options, label: i % 3 }),
      ).join('\n'),
    )
  file(
    'tasks/choose.yaml',
    `task: toy\ndataset_path: ${path('data')}\ntest_split: test\nfewshot_split: train\noutput_type: multiple_choice\ndoc_to_text: question\ndoc_to_choice: options\ndoc_to_target: "{{label}}"\nmetric_list: [{metric: acc}, {metric: brier_score}]\n`,
  )
  file(
    'pairs/order.txt',
    Array.from({ length: 60 }, (_, i) =>
      [`the ${i % 2 ? 'cat' : 'dog'} ran`, `ran the ${i % 3 ? 'dog' : 'cat'}`].join('\n'),
    ).join('\n'),
  )
})

const experiment = (name: string, more: string): string => {
  writeFileSync(path(name), `models: ${model}\n${more}`)
  return path(name)
}
const harness = (more = ''): string => `harness: {tasks: toy, include_path: tasks${more}}\n`
const probes = (seeds: string): string => `probes: {data: "zorro:./pairs", layers: "0,5", seeds: ${seeds}}\n`
const run = async (name: string, folder: string, ...flags: readonly string[]) =>
  strata(['run', path(name), '--out', path(folder), '--cache-dir', path('cache'), '--quiet', ...flags], { env })

function resultsOf(folder: string): Record<string, Record<string, unknown>> {
  const name = readdirSync(folder).find((one) => one.startsWith('results_')) ?? ''
  return (JSON.parse(readFileSync(join(folder, name), 'utf8')) as { results: Record<string, Record<string, unknown>> })
    .results
}

describe('strata run', () => {
  test('a dry run finds what the run would: documents, missing folders, tasks without files, models', async () => {
    experiment('dry.yaml', harness(', limit: 4') + probes('[0]'))
    const dry = (name: string) => run(name, 'dry', '--dry-run')
    const fine = await dry('dry.yaml')
    expect([fine.code, fine.stdout]).toEqual([
      0,
      expect.stringMatching(/^harness toy: 1 task, 4 documents per model$/m),
    ])
    experiment('away.yaml', `${harness().replace('toy', '[toy, tyo]')}probes: {data: "ud:./nowhere"}\n`)
    const away = await dry('away.yaml')
    expect(away.code).toBe(1)
    expect(away.stdout).toMatch(/^harness toy: 1 task, 10 documents per model$/m)
    expect(away.stdout).toMatch(/^failed {3}harness tyo: .*tyo/m)
    expect(away.stdout).toMatch(/^failed {3}probe ud:.*nowhere: .*the folder cannot be read/m)
    writeFileSync(path('lost.yaml'), `models: ${path('no-model')}\n${harness()}`)
    expect(await dry('lost.yaml')).toMatchObject({ code: 1, stderr: expect.stringMatching(/no-model/) as string })
  })

  test('asks and probes as the commands do, and finds what it did', async () => {
    experiment('both.yaml', harness() + probes('[0, 1]'))
    const { code, stdout, stderr } = await run('both.yaml', 'both')
    expect([code, stderr, stdout.split(';')[0]]).toEqual([0, '', '2 of 2 jobs done'])
    await strata(
      [
        'harness',
        model,
        '--tasks',
        'toy',
        '--include_path',
        path('tasks'),
        '--output_path',
        path('alone'),
        '--cache-dir',
        path('cache'),
      ],
      { env },
    )
    const alone = resultsOf(join(path('alone'), readdirSync(path('alone'))[0] ?? ''))
    expect(resultsOf(path('both/results/harness/toy/stories260K'))).toEqual(alone)
    await strata(
      [
        'probe',
        model,
        '--data',
        `zorro:${path('pairs')}`,
        '--layers',
        '0,5',
        '--seeds',
        '0,1',
        '--results',
        path('probed'),
      ],
      { env },
    )
    const table = (folder: string): string => readFileSync(join(path(folder), 'probes_zorro.csv'), 'utf8')
    expect(table('both/results/probes/zorro/stories260K')).toBe(table('probed'))
    const again = await run('both.yaml', 'both', '--json')
    expect(JSON.parse(again.stdout)).toMatchObject({ jobs: 2, done: 2 })
  })

  test('results of two types of arithmetic lie side by side', async () => {
    experiment('exact.yaml', harness())
    experiment('integers.yaml', `dtype: int8\n${harness()}`)
    expect([(await run('exact.yaml', 'types')).code, (await run('integers.yaml', 'types')).code]).toEqual([0, 0])
    const files = readdirSync(path('types'), { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('/toy.json'),
    )
    expect(new Set(files.map((name) => name.split('/').at(-2)))).toEqual(new Set(['logits', 'logits+int8']))
  })

  test('jobs change with what moves a score, and with nothing else', async () => {
    const idsOf = async (name: string, more: string): Promise<string[]> => {
      experiment(name, more)
      const { jobs } = JSON.parse((await run(name, 'plan', '--dry-run', '--json')).stdout) as {
        jobs: { id: string; kind: string }[]
      }
      return jobs.map(({ id }) => id)
    }
    const [probed, asked] = await idsOf('plain.yaml', harness() + probes('[0]'))
    expect(await idsOf('logged.yaml', harness(', log_samples: false') + probes('[0]'))).toEqual([probed, asked])
    expect((await idsOf('shots.yaml', harness(', num_fewshot: 1') + probes('[0]')))[0]).toBe(probed)
    const others = await Promise.all(
      [', num_fewshot: 1', ', limit: 5', ', fewshot_seed: 3', ', system_instruction: Be brief.'].map(
        async (more, i) => (await idsOf(`other-${i}.yaml`, harness(more)))[0],
      ),
    )
    expect(new Set([asked, ...others]).size).toBe(5)
    expect(await idsOf('seeds.yaml', probes('[1]'))).not.toContain(probed)
  })

  test('a group that averages its tasks in another way is written anew', async () => {
    const written = (name: string, weight: boolean): string =>
      file(
        `tasks/${name}.yaml`,
        `group: toys\ntask: [toy, toy_few]\naggregate_metric_list: [{metric: acc, weight_by_size: ${String(weight)}}]\n`,
      )
    // ten documents and three
    mkdirSync(path('few'))
    const few = [0, 0, 1].map((label, i) => JSON.stringify({ question: `Tom saw ${i}:`, options, label }))
    file('few/test.jsonl', few.join('\n'))
    const [choose] = readFileSync(path('tasks/choose.yaml'), 'utf8').split('fewshot_split: train\n')
    const rest = readFileSync(path('tasks/choose.yaml'), 'utf8').slice(
      (choose ?? '').length + 'fewshot_split: train\n'.length,
    )
    file('tasks/few.yaml', `${choose}${rest}`.replace('task: toy', 'task: toy_few').replace(path('data'), path('few')))
    experiment('group.yaml', harness().replace('tasks: toy', 'tasks: toys'))
    const groups = async (folder: string): Promise<unknown> => {
      expect((await run('group.yaml', folder)).code).toBe(0)
      const place = path(`${folder}/results/harness/toys/stories260K`)
      const name = readdirSync(place).findLast((one) => one.startsWith('results_')) ?? ''
      return (JSON.parse(readFileSync(join(place, name), 'utf8')) as { groups: unknown }).groups
    }
    written('group', true)
    const before = await groups('kept-group')
    written('group', false)
    const after = await groups('kept-group')
    expect(after).not.toEqual(before)
    expect(after).toEqual(await groups('fresh-group'))
  })

  test('tells mistakes of both sections with their lines', async () => {
    experiment('wrong.yaml', 'harness: {tasks: toy, num_fewshots: 1}\nprobes: {data: blimp, train_portion: 3}\n')
    const { code, stderr } = await run('wrong.yaml', 'wrong')
    expect(code).toBe(2)
    expect(stderr).toContain('wrong.yaml:2:23')
    expect(stderr).toContain('num_fewshot')
    expect(stderr).toContain('wrong.yaml:3')
    experiment('folder.yaml', harness().replace('include_path: tasks', 'include_path: task'))
    expect((await run('folder.yaml', 'wrong')).stderr).toContain('no such folder')
    experiment('nothing.yaml', '')
    expect((await run('nothing.yaml', 'wrong')).stderr).toContain('no task is named')
  })
})
