/** strata harness by the program, at its edges: groups within groups, data of files, texts too long, answers that never end. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { scratchFolder } from '../scratch.ts'
import { strata } from './program.ts'

const { path } = scratchFolder()
const model = join(import.meta.dirname, '..', '..', 'assets', 'models', 'stories260K')

/** Writes the files of a folder; the folder. */
function write(folder: string, files: Readonly<Record<string, string>>): string {
  mkdirSync(path(folder), { recursive: true })
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path(folder), name), text)
  return path(folder)
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))

const lines = (rows: readonly unknown[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('')

interface Document {
  readonly results: Record<string, Record<string, number | string>>
}

const harness = async (folder: string, ...flags: readonly string[]) =>
  strata(['harness', model, '--include_path', folder, '--cache-dir', path('cache'), ...flags], {
    env: { STRATA_LM_EVAL: path('none') },
  })
const results = async (folder: string, ...flags: readonly string[]): Promise<Document['results']> => {
  const { stdout, stderr } = await harness(folder, ...flags, '--json')
  if (stdout === '') throw new Error(stderr)
  return (JSON.parse(stdout) as Document).results
}

describe('integers that no number holds', () => {
  const prompts = async (name: string, data: Readonly<Record<string, string>>, task: string): Promise<string[]> => {
    const folder = write(name, { 'task.yaml': `task: ${name}\ndataset_path: ${write(`${name}-data`, data)}\n${task}` })
    const { code, stderr } = await harness(
      folder,
      '--tasks',
      name,
      '--log_samples',
      '--output_path',
      path(`${name}-out`),
    )
    if (code !== 0) throw new Error(stderr)
    const [logged = ''] = filesIn(path(`${name}-out`)).filter((own) => /samples_.*jsonl$/.test(own))
    return readFileSync(logged, 'utf8').trim().split('\n')
  }
  const asked = (row: string): string =>
    (JSON.parse(row) as { arguments: { gen_args_0: { arg_0: string } } }).arguments.gen_args_0.arg_0
  const task = (text: string): string =>
    `test_split: test\noutput_type: multiple_choice\ndoc_to_text: '${text}'\ndoc_to_target: 0\ndoc_to_choice: ['a', 'b']\nmetric_list: [{metric: acc}]\n`

  test.each([
    ['test.jsonl', '{"id": 9007199254740993}\n{"id": 18446744073709551615}\n'],
    ['test.csv', 'id\n9007199254740993\n18446744073709551615\n'],
  ])('are in prompts and samples as they are in %s', async (file, data) => {
    const name = `large_${file.slice(5)}`
    const rows = await prompts(
      name,
      { [file]: data },
      task('{{id}}|{{id + 1}}|{{id > 9007199254740992}}|{{[id]|tojson}}'),
    )
    expect(rows.map(asked)).toEqual([
      '9007199254740993|9007199254740994|True|[9007199254740993]',
      '18446744073709551615|18446744073709551616|True|[18446744073709551615]',
    ])
    expect(rows[0]).toContain('"doc":{"id":9007199254740993}')
  })

  test('are refused where they would be rounded: calculated with, next to empty fields, in YAML', async () => {
    const data = { 'test.jsonl': '{"id": 9007199254740993}\n' }
    await expect(prompts('large_half', data, task('{{id / 2}}'))).rejects.toThrow('9007199254740993 is too large')
    await expect(
      prompts('large_gap', { 'test.csv': 'id,x\n9007199254740993,1\n,2\n' }, task('{{id}}')),
    ).rejects.toThrow('would be rounded')
    await expect(prompts('large_yaml', data, `${task('{{id}}')}num_fewshot: 9007199254740993\n`)).rejects.toThrow(
      'too large to be exact',
    )
  })
})

describe('groups within groups', () => {
  const chosen = (gold: readonly number[]): string =>
    lines(
      gold.map((own, i) => ({
        begin:
          [
            'One day a girl named Lily',
            'Tom had a big red ball',
            'The dog ran to the park',
            'Mom said it was time to eat',
            'The sun was very hot',
            'He was sad because',
            'They all went home',
            'A cat sat on a tree',
          ][i] ?? '',
        ends: [' and', ' the', ' a'],
        own,
      })),
    )
  const task = (name: string, data: string): string =>
    `task: ${name}\ndataset_path: ${data}\ntest_split: test\noutput_type: multiple_choice\ndoc_to_text: '{{begin}}'\ndoc_to_target: own\ndoc_to_choice: '{{ends}}'\ntarget_delimiter: ''\nmetric_list: [{metric: acc}]\n`

  test('a task in two subgroups counts in both, as in lm_eval 0.4.13; one that a group names twice counts once', async () => {
    const [a, b] = [
      write('group-a', { 'test.jsonl': chosen([0, 1, 2, 0, 1, 2, 0, 1]) }),
      write('group-b', { 'test.jsonl': chosen([1, 1]) }),
    ]
    const folder = write('groups', {
      'a.yaml': task('a', a),
      'b.yaml': task('b', b),
      'outer.yaml':
        'group: outer\ntask:\n- {group: first, task: [a, b]}\n- {group: second, task: [b], aggregate_metric_list: [{metric: acc}]}\naggregate_metric_list: [{metric: acc}]\n',
      'twice.yaml': 'group: twice\ntask: [b, a, b]\naggregate_metric_list: [{metric: acc}]\n',
    })
    const { outer } = await results(folder, '--tasks', 'outer')
    expect([outer?.['sample_len'], outer?.['acc,none']]).toEqual([12, expect.closeTo(2 / 12, 12)])
    const { twice } = await results(folder, '--tasks', 'twice')
    expect([twice?.['sample_len'], twice?.['acc,none']]).toEqual([10, expect.closeTo(0.2, 12)])
  })
})
