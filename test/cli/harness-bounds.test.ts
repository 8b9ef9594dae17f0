/** strata harness by the program, at its edges: groups within groups, data of files, texts too long, answers that never end. */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createTableWriter } from '#files/tables'
import { scratchFolder } from '../scratch.ts'
import { until } from '../until.ts'
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

const harness = async ({ folder, cwd }: { folder: string; cwd?: string }, ...flags: readonly string[]) =>
  strata(['harness', model, '--include_path', folder, '--cache-dir', path('cache'), ...flags], {
    env: { STRATA_LM_EVAL: path('none') },
    ...(cwd !== undefined && { cwd }),
  })
const results = async (folder: string, ...flags: readonly string[]): Promise<Document['results']> => {
  const { stdout, stderr } = await harness({ folder }, ...flags, '--json')
  if (stdout === '') throw new Error(stderr)
  return (JSON.parse(stdout) as Document).results
}

/** Lines of the samples of a task file that is called `name`. */
async function samples(name: string, text: string, cwd?: string): Promise<string[]> {
  const folder = write(name, { 'task.yaml': `task: ${name}\n${text}` })
  const { code, stderr } = await harness(
    { folder, ...(cwd !== undefined && { cwd }) },
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

/** The prompt of a logged document. */
const asked = (row: string): string =>
  (JSON.parse(row) as { arguments: { gen_args_0: { arg_0: string } } }).arguments.gen_args_0.arg_0

const asking = (text: string): string =>
  `test_split: test\noutput_type: multiple_choice\ndoc_to_text: '${text}'\ndoc_to_target: 0\ndoc_to_choice: ['a', 'b']\nmetric_list: [{metric: acc}]\n`

const folderTask = (name: string, data: Readonly<Record<string, string>>, text: string): string =>
  `dataset_path: ${write(`${name}-data`, data)}\n${asking(text)}`

describe('integers that no number holds', () => {
  test.each([
    ['test.jsonl', '{"id": 9007199254740993}\n{"id": 18446744073709551615}\n'],
    ['test.csv', 'id\n9007199254740993\n18446744073709551615\n'],
  ])('are in prompts and samples as they are in %s', async (file, data) => {
    const name = `large_${file.slice(5)}`
    const rows = await samples(
      name,
      folderTask(name, { [file]: data }, '{{id}}|{{id + 1}}|{{id > 9007199254740992}}|{{[id]|tojson}}'),
    )
    expect(rows.map(asked)).toEqual([
      '9007199254740993|9007199254740994|True|[9007199254740993]',
      '18446744073709551615|18446744073709551616|True|[18446744073709551615]',
    ])
    expect(rows[0]).toContain('"doc":{"id":9007199254740993}')
  })

  test('are refused where they would be rounded: calculated with, next to empty fields, in YAML', async () => {
    const data = { 'test.jsonl': '{"id": 9007199254740993}\n' }
    await expect(samples('large_half', folderTask('large_half', data, '{{id / 2}}'))).rejects.toThrow(
      '9007199254740993 is too large',
    )
    await expect(
      samples('large_gap', folderTask('large_gap', { 'test.csv': 'id,x\n9007199254740993,1\n,2\n' }, '{{id}}')),
    ).rejects.toThrow('would be rounded')
    await expect(
      samples('large_yaml', `${folderTask('large_yaml', data, '{{id}}')}num_fewshot: 9007199254740993\n`),
    ).rejects.toThrow('too large to be exact')
  })
})

describe('data_files, as Python’s load_dataset takes them', () => {
  const prompts = async (name: string, data: string, text = '{{q}}', cwd?: string): Promise<string[]> =>
    (await samples(name, `${data}\n${asking(text)}`, cwd)).map(asked)

  test('a path, a list, a map of splits, patterns; relative to the folder of the command', async () => {
    const folder = write('given', {
      'a.jsonl': lines([{ q: 'one' }]),
      'b.json': JSON.stringify([{ q: 'two' }, { q: 'three' }], null, 2),
      'c.txt': lines([{ q: 'four' }]),
    })
    const train = 'test_split: train'
    expect(
      await prompts(
        'given_map',
        'dataset_path: json\ndataset_kwargs: {data_files: {test: [a.jsonl, c.txt]}}',
        '{{q}}',
        folder,
      ),
    ).toEqual(['one', 'four'])
    const one = (
      await samples(
        'given_one',
        `dataset_path: json\ndataset_kwargs: {data_files: ${folder}/b.json}\n${asking('{{q}}').replace('test_split: test', train)}`,
      )
    ).map(asked)
    expect(one).toEqual(['two', 'three'])
    expect(
      await prompts(
        'given_glob',
        `dataset_path: json\ndataset_kwargs: {data_files: {test: '*.json*'}, data_dir: ${folder}}`,
      ),
    ).toEqual(['one', 'two', 'three'])
  })

  test('csv, parquet, text; a key of a document; files of a folder', async () => {
    const folder = write('kinds', {
      'semicolons.txt': 'one;1\ntwo;2\n',
      'lines.md': 'first\n\nthird',
      'inside.json': '{"data": [{"q": "deep"}]}',
    })
    write('kinds/other', { 'more.csv': 'q\nx\n' })
    const writer = await createTableWriter(join(folder, 'rows.parquet'), [{ name: 'q', type: 'text' }])
    await writer.append([{ q: 'stored' }])
    await writer.finish()
    expect(
      await prompts(
        'kinds_csv',
        `dataset_path: csv\ndataset_kwargs: {data_files: {test: ${folder}/semicolons.txt}, sep: ';', names: [q, n]}`,
        '{{q}}{{n + 1}}',
      ),
    ).toEqual(['one2', 'two3'])
    expect(
      await prompts(
        'kinds_text',
        `dataset_path: text\ndataset_kwargs: {data_files: {test: ${folder}/lines.md}}`,
        '<{{text}}>',
      ),
    ).toEqual(['<first>', '<>', '<third>'])
    expect(
      await prompts(
        'kinds_field',
        `dataset_path: json\ndataset_kwargs: {data_files: {test: ${folder}/inside.json}, field: data}`,
      ),
    ).toEqual(['deep'])
    expect(
      await prompts(
        'kinds_parquet',
        `dataset_path: parquet\ndataset_kwargs: {data_files: {test: ${folder}/rows.parquet}}`,
      ),
    ).toEqual(['stored'])
    expect(
      await prompts(
        'kinds_folder',
        `dataset_path: ${folder}\ndataset_kwargs: {data_files: {test: other/more.csv}, column_names: [q], header: 0}`,
      ),
    ).toEqual(['x'])
  })

  test.each([
    ['{data_files: {test: nowhere.jsonl}}', 'a data file is not there – nowhere.jsonl'],
    ['{data_files: {test: "https://example.org/a.jsonl"}}', 'a data file lies on the web'],
    ['{data_files: {test: 7}}', 'data_files are not paths'],
    ['{}', 'the data of json names no files'],
    ['{data_files: a.jsonl, chunksize: 9}', 'chunksize'],
  ])('%s is refused', async (given, words) => {
    await expect(prompts(`refused_${words.length}`, `dataset_path: json\ndataset_kwargs: ${given}`)).rejects.toThrow(
      words,
    )
  })
})

describe('a continuation that is longer than the window', () => {
  const folder = (): string =>
    write('long', {
      'long.yaml': `task: long_one\ndataset_path: ${write('long-data', {
        'test.jsonl': lines([
          { q: 'The cat', ends: [' sat', ' ran'] },
          { q: 'The dog', ends: [' sat'.repeat(700), ' ran'] },
          { q: 'A bird', ends: [' sang', ' flew'] },
        ]),
      })}\ntest_split: test\noutput_type: multiple_choice\ndoc_to_text: '{{q}}'\ndoc_to_target: 0\ndoc_to_choice: '{{ends}}'\ntarget_delimiter: ''\n`,
      'short.yaml': `task: short_one\ndataset_path: ${write('short-data', { 'test.jsonl': lines([{ q: 'The cat' }]) })}\n${asking('{{q}}')}`,
      'both.yaml': 'group: both\ntask: [long_one, short_one]\naggregate_metric_list: [{metric: acc}]\n',
    })

  test('ends its task, which is named with the document; the others are asked', async () => {
    const { code, stdout } = await harness({ folder: folder() }, '--tasks', 'both', '--json')
    const { results: scores, strata: about } = JSON.parse(stdout) as Document & {
      strata: { failed: Record<string, string> }
    }
    expect([code, Object.keys(scores)]).toEqual([1, ['short_one', 'both']])
    expect(scores['both']).toEqual({ name: 'both', alias: 'both' })
    expect(about.failed['long_one']).toMatch(/^long_one › document 1: a continuation is longer .* at most 512/)
    const { stderr } = await harness({ folder: folder() }, '--tasks', 'both')
    expect(stderr).toMatch(/long_one failed: .*document 1.*--skip-too-long/)
    const alone = await harness({ folder: folder() }, '--tasks', 'long_one')
    expect([alone.code, alone.stdout]).toEqual([1, ''])
    expect(alone.stderr).toContain('document 1')
  })

  test('is left out with its document and counted where that is asked for', async () => {
    const flags = ['--tasks', 'both', '--skip-too-long']
    const { code, stdout } = await harness(
      { folder: folder() },
      ...flags,
      '--json',
      '--output_path',
      path('long-out'),
      '--log_samples',
    )
    const { results: scores } = JSON.parse(stdout) as Document
    expect([code, scores['long_one']?.['sample_len'], scores['both']?.['sample_len']]).toEqual([0, 2, 3])
    expect((await harness({ folder: folder() }, ...flags)).stderr).toContain('long_one: 1 of 3 documents were left out')
    const files = filesIn(path('long-out'))
    expect(files.filter((name) => name.includes('logits+fitting'))).not.toEqual([])
    const [logged = ''] = files.filter((name) => /samples_long.*jsonl$/.test(name))
    const rows = readFileSync(logged, 'utf8').trim().split('\n')
    expect(rows.map((row) => (JSON.parse(row) as { doc_id: number }).doc_id)).toEqual([0, 2])
  })
})

describe('a server that does not come to an end', () => {
  const folder = (): string =>
    write('served', {
      'task.yaml': `task: served\ndataset_path: ${write('served-data', { 'test.jsonl': lines([{ q: 'Hello' }]) })}\ntest_split: test\ndoc_to_text: '{{q}}'\ndoc_to_target: x\n`,
    })

  test.each([
    ['drips a byte at a time', true],
    ['says nothing', false],
  ])('one that %s is left after timeout seconds', { timeout: 20_000 }, async (_, drips) => {
    const drip = (response: ServerResponse): void => {
      if (!drips) return
      response.writeHead(200, { 'content-type': 'application/json' })
      void until(() => response.destroyed || !response.write(' '))
    }
    const server = createServer((request, response) => void request.resume().on('end', () => drip(response)))
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => server.close().closeAllConnections())
    const { port } = server.address() as AddressInfo
    const { code, stderr } = await strata(
      [
        'harness',
        '--model',
        'local-completions',
        '--tasks',
        'served',
        '--include_path',
        folder(),
        '--model_args',
        `model=m,base_url=http://127.0.0.1:${port}/v1/completions,tokenizer=${model},timeout=1,max_retries=2`,
      ],
      { env: { STRATA_LM_EVAL: path('none') } },
    )
    expect([code, /server\.network.*1 s/.test(stderr)]).toEqual([1, true])
    expect(stderr).toContain('timeout=')
  })
})

test('a filter whose pattern tries every way through an answer ends its task', { timeout: 60_000 }, async () => {
  const task = (name: string, filter: string): string =>
    `task: ${name}\ndataset_path: ${write('filtered-data', { 'test.jsonl': lines([{ q: 'Hello' }]) })}\ntest_split: test\ndoc_to_text: '{{q}}'\ndoc_to_target: x\ngeneration_kwargs: {until: ['.'], max_gen_toks: 4}\n${filter}`
  const folder = write('filtered', {
    'plain.yaml': task('filter_plain', ''),
    'endless.yaml': task(
      'filter_endless',
      "filter_list: [{name: odd, filter: [{function: regex, regex_pattern: '(a*)*b'}, {function: take_first}]}]\n",
    ),
  })
  await harness({ folder }, '--tasks', 'filter_plain', '--log_samples', '--output_path', path('filtered-out'))
  const [logged = ''] = filesIn(path('filtered-out')).filter((name) => /samples_.*jsonl$/.test(name))
  const row = JSON.parse(readFileSync(logged, 'utf8')) as Record<string, unknown>
  writeFileSync(logged, lines([{ ...row, resps: [['a'.repeat(200)]] }]))
  const { code, stdout, stderr } = await strata(
    [
      'harness',
      path('filtered-out'),
      '--model',
      'samples',
      '--include_path',
      folder,
      '--tasks',
      'filter_plain,filter_endless',
    ],
    { env: { STRATA_LM_EVAL: path('none') } },
  )
  expect([code, stdout.includes('filter_plain'), stdout.includes('filter_endless')]).toEqual([1, true, false])
  expect(stderr).toMatch(/filter_endless failed: regular expression: takes too long – \(a\*\)\*b/)
})

describe('numbers and texts that mean nothing', () => {
  const folder = (kwargs: string): string =>
    write('odd-kwargs', {
      'task.yaml': `task: odd_kwargs\ndataset_path: ${write('odd-data', { 'test.jsonl': lines([{ q: 'Hello' }]) })}\ntest_split: test\ndoc_to_text: '{{q}}'\ndoc_to_target: x\ngeneration_kwargs: ${kwargs}\n`,
    })

  test.each([
    ["{until: ['']}", 'until', 'until: []'],
    ['{max_gen_toks: -5}', 'max_gen_toks', '1 or greater'],
    ['{max_gen_toks: 2.5}', 'max_gen_toks', '1 or greater'],
    ['{temperature: .nan}', 'temperature', '0 or greater'],
    ['{temperature: -1, do_sample: true}', 'temperature', '0 or greater'],
    ['{temperature: .inf, do_sample: true}', 'temperature', '0 or greater'],
    ['{top_p: 1.5, do_sample: true}', 'top_p', 'at most 1'],
    ['{top_k: -3, do_sample: true}', 'top_k', '0 or greater'],
  ])('generation_kwargs: %s is refused', async (kwargs, name, wanted) => {
    const { code, stdout, stderr } = await harness({ folder: folder(kwargs) }, '--tasks', 'odd_kwargs')
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain('usage.value')
    expect(stderr).toContain(`odd_kwargs › generation_kwargs › ${name}`)
    expect(stderr).toContain(wanted)
  })

  test('they are refused from --gen_kwargs too, and what means something is taken', async () => {
    const plain = folder("{until: ['.'], max_gen_toks: 4}")
    expect(
      (await harness({ folder: plain }, '--tasks', 'odd_kwargs', '--gen_kwargs', 'max_gen_toks=-5')).stderr,
    ).toContain('1 or greater')
    const fine = 'do_sample=true,temperature=0.5,top_p=1.0,top_k=0'
    expect((await harness({ folder: plain }, '--tasks', 'odd_kwargs', '--gen_kwargs', fine)).code).toBe(0)
  })

  test('a server whose text is null is refused with what to do', async () => {
    const server = createServer(
      (request, response) =>
        void request
          .resume()
          .on('end', () =>
            response.end(JSON.stringify({ choices: [{ index: 0, text: null, finish_reason: 'content_filter' }] })),
          ),
    )
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => server.close().closeAllConnections())
    const { port } = server.address() as AddressInfo
    const { code, stderr } = await strata(
      [
        'harness',
        '--model',
        'local-completions',
        '--tasks',
        'odd_kwargs',
        '--include_path',
        folder("{until: ['.'], max_gen_toks: 4}"),
        '--model_args',
        `model=m,base_url=http://127.0.0.1:${port}/v1/completions,tokenizer=${model},max_retries=1`,
      ],
      { env: { STRATA_LM_EVAL: path('none') } },
    )
    expect(code).toBe(1)
    expect(stderr).toMatch(/server\.answer.*text is null.*content_filter/)
    expect(stderr).toMatch(/\n +\S.*chat/)
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
