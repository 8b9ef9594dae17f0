/** strata harness by the program, at its edges: groups within groups, data of files, texts too long, answers that never end. */
import { mkdirSync, writeFileSync } from 'node:fs'
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
