/** The examples of docs/recipes/own-data.md as they stand there, and what wrong files are told. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { type Embedder, matrix } from '#core'
import { evaluateTask } from '#task/protocols'
import { openRepo } from '#files/hub'
import { createTableWriter } from '#files/tables'
import { type LoadedTask, loadTask } from '#task/rows'
import { readTaskFiles } from '#task/registry'

const root = mkdtempSync(join(tmpdir(), 'strata-own-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

function write(path: string, text: string): string {
  const full = join(root, path)
  mkdirSync(dirname(full), { recursive: true })
  writeFileSync(full, text)
  return full
}

/** Counts of letter pairs: a model of texts, if a poor one. */
const letterPairs: Embedder = {
  representation: 'default',
  width: 64,
  embed(texts) {
    const vectors = matrix(texts.length, 64)
    texts.forEach((text, row) => {
      for (let i = 0; i + 1 < text.length; i++) {
        const cell = (text.charCodeAt(i) * 31 + text.charCodeAt(i + 1)) % 64
        vectors.data[row * 64 + cell] = (vectors.data[row * 64 + cell] ?? 0) + 1
      }
    })
    return Promise.resolve(vectors)
  },
}

async function load(path: string): Promise<LoadedTask[]> {
  const { tasks, data } = await readTaskFiles([path])
  return Promise.all(
    tasks.map((task) =>
      loadTask(task, {
        openDataset: async (name, revision) =>
          data.get(name)?.() ?? openRepo(`${name}@${revision}`, { type: 'dataset' }),
      }),
    ),
  )
}

const recipe = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'recipes', 'own-data.md'), 'utf8')
const files = [...recipe.matchAll(/^`([^`\n]+\.\w+)`\n\n```\w+\n([^]*?)^```/gm)].map(([, path = '', text = '']) => ({
  path,
  text,
}))
for (const { path, text } of files) write(path, text)

describe('the recipe', () => {
  const examples = [...files.map(({ path }) => path).filter((path) => path.endsWith('.yaml')), 'beir']
  test('has an example of every type', () => {
    expect(examples.length).toBeGreaterThanOrEqual(12)
  })
  test.each(examples)('%s is read and scored', async (path) => {
    for (const loaded of await load(join(root, path))) {
      expect(loaded.missing).toEqual([])
      expect(loaded.dataRevision).toMatch(/^[0-9a-f]{64}$/)
      const { mainScore, failed } = await evaluateTask(loaded, letterPairs)
      expect(failed).toEqual([])
      expect(mainScore).toBeGreaterThanOrEqual(-1)
      expect(mainScore).toBeLessThanOrEqual(1)
    }
  })

  test('rows come through by the names of the file', async () => {
    const [sts] = await load(join(root, 'sts/task.yaml'))
    expect(sts?.parts[0]).toMatchObject({
      subset: 'default',
      languages: ['eng-Latn'],
      sentence1: ['a cat sleeps', 'a cat sleeps', 'the market fell', 'the market fell'],
      score: [4.8, 0.2, 4.1, 0.4],
    })
    const [bitext] = await load(join(root, 'bitext/task.yaml'))
    expect(bitext?.parts[0]).toMatchObject({ subset: 'de-en', languages: ['deu-Latn', 'eng-Latn'] })
    const [search] = await load(join(root, 'retrieval/task.yaml'))
    expect(search?.parts[0]).toMatchObject({
      corpus: {
        ids: ['1', '2', '3'],
        texts: [
          'Cats Cats sleep most of the day.',
          'Banks Interest rates are set by central banks.',
          'Bread Bread is baked from dough.',
        ],
      },
      queries: { ids: ['10', '11'] },
      qrels: new Map([
        ['10', new Map([['1', 2]])],
        ['11', new Map([['2', 1]])],
      ]),
    })
    const [reranking, instructions] = await load(join(root, 'reranking/task.yaml'))
    expect(reranking?.parts[0]).toMatchObject({
      candidates: new Map([
        ['q1', ['d1', 'd2']],
        ['q2', ['d3', 'd2']],
      ]),
    })
    expect(instructions?.parts[0]).toMatchObject({
      queries: {
        texts: [
          'how long do cats sleep Only articles about animals.',
          'who sets interest rates Only articles about money.',
        ],
      },
    })
  })
})

describe('a task file', () => {
  const rows = write('few/rows.csv', 'text,label\na,x\nb,y\n')
  const plain = 'name: Few\ntype: Classification\n'

  test('is known by the bytes of its files, not by their names', async () => {
    const one = await readTaskFiles([write('few/one.yaml', `${plain}data: {train: rows.csv, test: rows.csv}\n`)])
    write('few/copy.csv', readFileSync(rows, 'utf8'))
    const other = await readTaskFiles([write('few/other.yaml', `${plain}data: {train: copy.csv, test: rows.csv}\n`)])
    expect(other.tasks[0]?.dataset.revision).toBe(one.tasks[0]?.dataset.revision)
    write('few/copy.csv', 'text,label\na,x\nb,z\n')
    const changed = await readTaskFiles([write('few/other.yaml', `${plain}data: {train: copy.csv, test: rows.csv}\n`)])
    expect(changed.tasks[0]?.dataset.revision).not.toBe(one.tasks[0]?.dataset.revision)
  })

  test('may hold several documents, empty ones among them', async () => {
    const two = await readTaskFiles([
      write(
        'few/two.yaml',
        `# two\n---\n${plain}data: {train: rows.csv, test: rows.csv}\n---\n# nothing\n---\nname: Other\ntype: STS\ndata: rows.csv\n`,
      ),
    ])
    expect(two.tasks.map(({ name, splits }) => [name, splits])).toEqual([
      ['Few', ['test']],
      ['Other', ['test']],
    ])
  })

  test.each<[string, string, { code: string; place?: string; what?: string; hint?: string }]>([
    [
      'an unknown key',
      `${plain}data: {train: rows.csv}\ncolums: {}\n`,
      { code: 'usage.value', place: ':4:1', what: 'unknown key colums', hint: 'did you mean columns?' },
    ],
    [
      'an option of another type',
      `${plain}data: {train: rows.csv}\nk_values: [1]\n`,
      { code: 'usage.value', place: ':4:1', what: 'unknown key k_values' },
    ],
    [
      'a wrong type',
      'name: x\ntype: Clasification\ndata: x\n',
      { code: 'usage.value', place: ':2:7', hint: 'did you mean Classification?' },
    ],
    [
      'an unknown field',
      `${plain}data: {train: rows.csv}\ncolumns: {txt: a}\n`,
      { code: 'usage.value', place: ':4:11', what: 'unknown key columns.txt', hint: 'did you mean text?' },
    ],
    [
      'an unknown step',
      `${plain}data: {train: rows.csv}\nsteps: [{renam: {a: b}}]\n`,
      { code: 'usage.value', place: ':4:10', hint: 'did you mean rename?' },
    ],
    [
      'a value of the wrong kind',
      `${plain}data: {train: rows.csv}\nsamples_per_label: many\n`,
      { code: 'usage.value', place: ':4:20' },
    ],
    [
      'a missing table',
      'name: x\ntype: Retrieval\ndata:\n  corpus: a\n  queries: b\n  qrel: c\n',
      { code: 'usage.value', hint: 'did you mean qrels?' },
    ],
    ['no data', plain, { code: 'usage.value', what: 'data' }],
    [
      'a file that is not there',
      `${plain}data:\n  train: rows.csv\n  test: [rows.csv, none.csv]\n`,
      { code: 'file.missing', place: ':5:20' },
    ],
    ['a name of the registry', 'name: SciFact\ntype: STS\ndata: rows.csv\n', { code: 'usage.conflict', place: ':1:7' }],
    [
      'two tasks of one name',
      `---\n${plain}data: rows.csv\n---\n${plain}data: rows.csv\n`,
      { code: 'usage.conflict', place: ':6:7' },
    ],
    ['a name with a slash', 'name: a/b\ntype: STS\ndata: rows.csv\n', { code: 'usage.value', place: ':1:7' }],
    ['not YAML', 'name: [\n', { code: 'format.yaml' }],
    ['nothing', '# nothing\n', { code: 'usage.value' }],
  ])('with %s is refused at its place', async (_, text, { code, place = '', what = '', hint }) => {
    const path = write('few/wrong.yaml', text)
    const problem: unknown = await readTaskFiles([path]).catch((error: unknown) => error)
    expect(problem).toMatchObject({ code, parts: hint === undefined ? {} : { hint } })
    const { parts } = problem as { parts: { place: string; what: string } }
    expect(parts.place.startsWith(path) && parts.place.endsWith(place)).toBe(true)
    expect(parts.what).toContain(what)
  })

  test.each<[string, string, string, string, string]>([
    [
      'text where a number should be',
      'STS',
      'sentence1,sentence2,score\na,b,1\nc,d,much\n',
      '.csv:3',
      'score is not a number',
    ],
    [
      'a missing score',
      'STS',
      '{"sentence1": "a", "sentence2": "b", "score": 1}\n\n{"sentence1": "a", "sentence2": "b"}\n',
      '.jsonl:3',
      'score is not a number',
    ],
    [
      'a missing text',
      'STS',
      '{"sentence1": "a", "sentence2": "b", "score": 1}\n{"sentence1": null, "sentence2": "b", "score": 2}\n',
      '.jsonl:2',
      'sentence1 is not a text',
    ],
    [
      'broken JSON',
      'STS',
      '{"sentence1": "a", "sentence2": "b", "score": 1}\n{"sentence1": "a" "sentence2"}\n',
      '.jsonl:2:19',
      'not JSON',
    ],
    [
      'a row of another width',
      'STS',
      'sentence1,sentence2,score\na,b,1\nc,d\n',
      '.csv:3',
      'a different number of fields',
    ],
  ])('%s is named by file and line', async (_, type, content, place, what) => {
    const name = content.startsWith('{') ? 'rows.jsonl' : 'rows.csv'
    write(`bad/${name}`, content)
    const problem: unknown = await load(write('bad/task.yaml', `name: Bad\ntype: ${type}\ndata: ${name}\n`)).catch(
      (error: unknown) => error,
    )
    const { parts } = problem as { parts: { place: string; what: string } }
    expect(parts.place).toMatch(new RegExp(`${place.replaceAll('.', '\\.')}$`))
    expect(parts.what).toContain(what)
  })

  test('a column that is not there is named, with the nearest', async () => {
    write('bad/rows.csv', 'one,two,score\na,b,1\n')
    const path = write(
      'bad/task.yaml',
      'name: Bad\ntype: STS\ndata: rows.csv\ncolumns: {sentence1: on, sentence2: two}\n',
    )
    await expect(load(path)).rejects.toMatchObject({ code: 'task.column', hint: 'did you mean one?' })
  })
})

describe('a BEIR folder', () => {
  const folder = (name: string, files: Record<string, string>): string => {
    for (const [path, text] of Object.entries(files)) write(join(name, path), text)
    return join(root, name)
  }
  const corpus = '{"_id": "d1", "title": "T", "text": "one"}\n{"_id": "d2", "text": "two"}\n'
  const queries = '{"_id": "q1", "text": "first"}\n{"_id": "q2", "text": "second"}\n'
  const qrels = 'query-id\tcorpus-id\tscore\nq1\td1\t1\n'

  test('evaluates test where there is one, else all but train', async () => {
    const path = folder('trec', {
      'corpus.jsonl': corpus,
      'queries.jsonl': queries,
      'qrels/train.tsv': qrels,
      'qrels/dev.tsv': qrels,
    })
    expect((await readTaskFiles([path])).tasks[0]).toMatchObject({
      name: 'trec',
      type: 'Retrieval',
      splits: ['dev'],
      mainScore: 'ndcg_at_10',
    })
    folder('trec', { 'qrels/test.tsv': qrels })
    expect((await readTaskFiles([path])).tasks[0]?.splits).toEqual(['test'])
    const [loaded] = await load(path)
    expect(loaded?.parts[0]).toMatchObject({
      corpus: { ids: ['d1', 'd2'], texts: ['T one', 'two'] },
      queries: { ids: ['q1'], texts: ['first'] },
    })
  })

  test('with a part missing, or judgements without a header, is refused', async () => {
    await expect(
      readTaskFiles([folder('half', { 'corpus.jsonl': corpus, 'qrels/test.tsv': qrels })]),
    ).rejects.toMatchObject({ code: 'task.split' })
    await expect(readTaskFiles([folder('none', { 'readme.txt': 'x' })])).rejects.toMatchObject({ code: 'task.split' })
    await expect(
      load(folder('headless', { 'corpus.jsonl': corpus, 'queries.jsonl': queries, 'qrels/test.tsv': 'q1\td1\t1\n' })),
    ).rejects.toMatchObject({
      code: 'task.column',
    })
  })
})

describe('files of any kind', () => {
  const rows = [
    { sentence1: 'a', sentence2: 'b', score: 1 },
    { sentence1: 'c, "d"', sentence2: 'e\tf', score: 2.5 },
  ]
  const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join('')
  const separated = (separator: string): string =>
    [Object.keys(rows[0] ?? {}), ...rows.map(({ sentence1, sentence2, score }) => [sentence1, sentence2, `${score}`])]
      .map((fields) => fields.map((field) => `"${field.replaceAll('"', '""')}"`).join(separator))
      .join('\r\n')

  test.each<[string, (path: string) => void | Promise<void>]>([
    ['rows.jsonl', (path) => writeFileSync(path, lines)],
    ['rows.jsonl.gz', (path) => writeFileSync(path, gzipSync(lines))],
    ['rows.json', (path) => writeFileSync(path, JSON.stringify(rows))],
    ['rows.csv', (path) => writeFileSync(path, `\ufeff${separated(',')}`)],
    ['rows.csv.gz', (path) => writeFileSync(path, gzipSync(separated(',')))],
    ['rows.tsv', (path) => writeFileSync(path, separated('\t'))],
    [
      'rows.parquet',
      async (path) => {
        const writer = await createTableWriter(path, [
          { name: 'sentence1', type: 'text' },
          { name: 'sentence2', type: 'text' },
          { name: 'score', type: 'number' },
        ])
        await writer.append(rows)
        await writer.finish()
      },
    ],
  ])('%s holds the same rows', async (name, make) => {
    write(`kinds/${name}`, '')
    rmSync(join(root, 'kinds', name))
    await make(join(root, 'kinds', name))
    const [loaded] = await load(write('kinds/task.yaml', `name: Kinds\ntype: STS\ndata: ${name}\n`))
    expect(loaded?.parts[0]).toMatchObject({ sentence1: ['a', 'c, "d"'], sentence2: ['b', 'e\tf'], score: [1, 2.5] })
  })

  test('several files of a split are read in their order', async () => {
    write('kinds/one.jsonl', '{"sentence1": "a", "sentence2": "b", "score": 1}\n')
    write('kinds/two.csv', 'sentence1,sentence2,score\nc,d,2\n')
    const path = write('kinds/task.yaml', 'name: Kinds\ntype: STS\ndata: { test: [one.jsonl, two.csv] }\n')
    expect((await load(path))[0]?.parts[0]).toMatchObject({ sentence1: ['a', 'c'], score: [1, 2] })
    write('kinds/two.csv', 'sentence1,sentence2,score\nc,d,2\ne,f,\n')
    await expect(load(path)).rejects.toMatchObject({ parts: { place: expect.stringMatching(/two\.csv:3$/) as string } })
  })
})

describe('a folder laid out like a repository', () => {
  const head = (configs: Record<string, Record<string, string>>): string =>
    `---\n${JSON.stringify({ configs: Object.entries(configs).map(([name, splits]) => ({ config_name: name, data_files: Object.entries(splits).map(([split, path]) => ({ split, path })) })) })}\n---\n`

  test('has its configs by name, and columns by the names of the task file', async () => {
    write(
      'hub/README.md',
      head({
        corpus: { corpus: 'c.jsonl' },
        queries: { queries: 'q.jsonl' },
        default: { dev: 'd.tsv', test: 't.tsv' },
      }),
    )
    write(
      'hub/c.jsonl',
      '{"key": "d1", "id": "not this", "body": "one"}\n{"key": "d2", "id": "nor this", "body": "two"}\n',
    )
    write('hub/q.jsonl', '{"_id": "q1", "text": "first"}\n')
    write('hub/d.tsv', 'query-id\tcorpus-id\tscore\nq1\td1\t1\n')
    write('hub/t.tsv', 'query-id\tcorpus-id\tscore\nq1\td2\t1\n')
    const [loaded] = await load(
      write(
        'repo.yaml',
        'name: Repo\ntype: Retrieval\ndata: { repo: ./hub }\nsplits: [dev]\ncolumns: { corpus: { id: key, text: body } }\n',
      ),
    )
    expect(loaded?.parts).toMatchObject([
      {
        split: 'dev',
        corpus: { ids: ['d1', 'd2'], texts: ['one', 'two'] },
        qrels: new Map([['q1', new Map([['d1', 1]])]]),
      },
    ])
  })

  test('is read by the config that is named', async () => {
    write('configs/README.md', head({ en: { test: 'en.csv' }, de: { test: 'de.csv' } }))
    write('configs/en.csv', 'sentence1,sentence2,score\na,b,1\n')
    write('configs/de.csv', 'sentence1,sentence2,score\nc,d,2\n')
    const [loaded] = await load(
      write('config.yaml', 'name: Config\ntype: STS\ndata: { repo: ./configs, config: de }\n'),
    )
    expect(loaded?.parts).toMatchObject([{ subset: 'default', sentence1: ['c'], score: [2] }])
    await expect(
      load(write('config.yaml', 'name: Config\ntype: STS\ndata: { repo: ./configs, config: fr }\n')),
    ).rejects.toMatchObject({ code: 'task.subset' })
  })
})
