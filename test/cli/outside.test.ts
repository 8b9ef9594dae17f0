/**
 * What comes from outside and becomes a file: names of tasks and models lead nowhere but into the folder of the output,
 * and a file of somebody else's is not written to.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { writeSmallModel } from '../experiment/encode/small-model.ts'
import { scratchFolder } from '../scratch.ts'
import { pairsTask } from './pairs-task.ts'
import { type Ran, type RunOptions, strata } from './program.ts'

const { path, file } = scratchFolder()
const model = join(import.meta.dirname, '..', '..', 'assets', 'models', 'stories260K')
const env = { STRATA_LM_EVAL: path('none') }

const taskText = (name: string): string =>
  `task: ${JSON.stringify(name)}\ndataset_path: ${path('data')}\ntest_split: test\noutput_type: multiple_choice\ndoc_to_text: question\ndoc_to_choice: options\ndoc_to_target: "{{label}}"\nmetric_list: [{metric: acc}]\n`

beforeAll(() => {
  for (const folder of ['data', 'tasks', 'caches']) mkdirSync(path(folder))
  const rows = Array.from({ length: 6 }, (_, i) => ({
    question: `Lily saw ${i}:`,
    options: ['a cat', 'a dog', 'a ball'],
    label: i % 3,
  }))
  writeFileSync(path('data/test.jsonl'), rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  writeFileSync(path('tasks/toy.yaml'), taskText('toy'))
})

/** Every file below the scratch folder, that of caches and inputs aside. */
function filesBelow(folder: string): string[] {
  return readdirSync(path(folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((name) => statSync(path(name)).isFile())
    .sort()
}

const harness = (flags: readonly string[], options: RunOptions = {}): Promise<Ran> =>
  strata(['harness', model, '--include_path', path('tasks'), '--cache-dir', path('cache'), ...flags], {
    ...options,
    env,
  })

describe('a name leads nowhere but into the folder of the output', () => {
  const names = ['../../../../gone', '..', '.', '/gone', 'a/../../../../gone', '..\\..\\gone', 'with space/slash']

  test('tasks of strata harness', async () => {
    mkdirSync(path('harness/tasks'), { recursive: true })
    for (const [i, name] of names.entries()) writeFileSync(path(`harness/tasks/${i}.yaml`), taskText(name))
    const before = filesBelow('harness')
    const { code, stderr } = await strata(
      ['harness', model, '--tasks', path('harness/tasks'), '--output_path', path('harness/deep/out')].concat([
        '--log_samples',
        '--cache-dir',
        path('cache'),
      ]),
      { env },
    )
    expect([code, stderr]).toEqual([0, expect.stringContaining('results:')])
    const written = filesBelow('harness').filter((one) => !before.includes(one))
    expect(written.filter((one) => !one.startsWith(join('harness', 'deep', 'out')))).toEqual([])
    expect(written.filter((one) => one.includes('samples_'))).toHaveLength(names.length)
    expect(readdirSync(path('')).filter((one) => one.includes('gone'))).toEqual([])
  })

  test('a model that is named by dots', async () => {
    mkdirSync(path('dots'))
    const { code } = await harness(['--tasks', 'toy', '--output_path', path('dots/out')])
    expect(code).toBe(0)
    const run = await strata(
      ['harness', '.', '--tasks', 'toy', '--include_path', path('tasks'), '--output_path', path('dots/out')].concat([
        '--cache-dir',
        path('cache'),
      ]),
      { env, cwd: model },
    )
    expect(run.code).toBe(0)
    expect(readdirSync(path('dots'))).toEqual(['out'])
    expect(readdirSync(path('dots/out')).filter((one) => one.startsWith('results'))).toEqual([])
  })

  test('a task of one’s own named by dots, in the tables of strata aggregate', async () => {
    await writeSmallModel(path('small'))
    const task = pairsTask(file, 'Pairs')
    writeFileSync(task, readFileSync(task, 'utf8').replace(/^name: .*$/m, 'name: ".."'))
    const { code, stderr } = await strata(
      ['aggregate', path('small'), '--task-file', task, '--methods', 'mean', '--tables', path('tables')].concat([
        '--output-folder',
        path('aggregated'),
        '--cache-dir',
        path('cache'),
        '--quiet',
      ]),
    )
    expect([code, stderr]).toEqual([0, ''])
    expect(filesBelow('tables').filter((one) => /(?:small|mean)\/results\.json$/.test(one))).toEqual([])
    expect(existsSync(path('tables/small/mean/%2E%2E/results.json'))).toBe(true)
  })

  test('an experiment named by dots', async () => {
    mkdirSync(path('experiment'))
    writeFileSync(path('experiment/e.yaml'), `name: ".."\nmodels: ${model}\nharness: {tasks: toy}\n`)
    const { code, stderr } = await strata(['run', path('experiment/e.yaml'), '--dry-run'], {
      env,
      cwd: path('experiment'),
    })
    expect([code, stderr]).toEqual([2, expect.stringContaining('e.yaml:1:7')])
  })
})

describe('--use_cache', () => {
  test.each([
    ['notes', 'buy milk\nand bread\n', 'buy milk'],
    [
      'the SQLite cache of lm-evaluation-harness',
      'SQLite format 3\u0000\u0010\u0000\u0001\u0001\n\u0000',
      'SQLite database',
    ],
    ['samples of a run', '{"doc_id": 0, "target": "x"}\n', 'doc_id'],
    ['a journal of probes', '{"strata":"probes"}\n', 'probes'],
  ])('a file of %s is refused and stays as it is', async (name, content, seen) => {
    const cache = path(`caches/${name}`)
    writeFileSync(cache, content, 'latin1')
    const { code, stderr } = await harness(['--tasks', 'toy', '--use_cache', cache])
    expect([code, readFileSync(cache, 'latin1')]).toEqual([2, content])
    expect(stderr).toContain('not a journal of answers')
    expect(stderr).toContain(seen)
    expect(stderr).toContain('--use_cache FILE')
  })

  test('a bad line in the middle costs one answer, and nothing after it is lost', async () => {
    const cache = path('caches/spoilt.jsonl')
    const counts = async (): Promise<{ requests: number; answered_before: number }> => {
      const { stdout } = await harness(['--tasks', 'toy', '--use_cache', cache, '--json'])
      const { strata: own } = JSON.parse(stdout) as {
        strata: { tasks: Record<string, { requests: number; answered_before: number }> }
      }
      return own.tasks['toy'] ?? { requests: 0, answered_before: 0 }
    }
    expect(await counts()).toMatchObject({ requests: 18, answered_before: 0 })
    // without its first line, as earlier releases wrote it, and with one spoilt
    const lines = readFileSync(cache, 'utf8').split('\n').slice(1)
    writeFileSync(cache, lines.map((line, i) => (i === 5 ? line.slice(0, 20) : line)).join('\n'))
    expect(await counts()).toMatchObject({ requests: 18, answered_before: 17 })
    expect(await counts()).toMatchObject({ requests: 18, answered_before: 18 })
  })

  test('without it, a second process in the folder keeps its answers beside, and knows the first one’s', async () => {
    const { openJournal } = await import('#platform/disk')
    const flags = ['--tasks', 'toy', '--output_path', path('beside'), '--json']
    await harness(flags)
    const [folder = ''] = readdirSync(path('beside')).filter((name) => existsSync(path(`beside/${name}/answers.jsonl`)))
    const held = await openJournal(path(`beside/${folder}/answers.jsonl`), {
      name: 'answers',
      isPiece: (value): value is object => value !== null,
    })
    const { stdout } = await harness(flags)
    await held.close()
    expect(stdout).toContain('"answered_before":18')
    const files = readdirSync(path(`beside/${folder}`)).filter((name) => name.startsWith('answers'))
    expect(files.sort()).toEqual(['answers-2.jsonl', 'answers.jsonl'])
  })

  test('two processes do not write one file', async () => {
    const cache = path('caches/shared.jsonl')
    // a process that lives holds it: this one
    const { openJournal } = await import('#platform/disk')
    const held = await openJournal(cache, { name: 'answers', isPiece: (value): value is object => value !== null })
    const { code, stderr } = await harness(['--tasks', 'toy', '--use_cache', cache])
    expect([code, stderr]).toEqual([2, expect.stringContaining('another process writes its answers there')])
    await held.close()
    expect((await harness(['--tasks', 'toy', '--use_cache', cache])).code).toBe(0)
  })
})
