import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { readColumns } from '#files/tables'
import { madeFolder } from '../result/report/made-folder.ts'
import { scratchFolder } from '../scratch.ts'
import { type Ran, strata } from './program.ts'

const { path, file } = scratchFolder()
const root = path('results')

beforeAll(async () => {
  await madeFolder(root)
  mkdirSync(path('results/search'))
  file('results/search/search.json', JSON.stringify({ rewards: { 'main h2': 1.5 }, settings: { policy: 'random' } }))
  const pull = {
    seq: 0,
    arm: 'main h2',
    checkpoint: 'main',
    layer: 'h2',
    by: 'policy',
    tasks: ['A', 'B'],
    scores: { A: 0.25, B: 0.75 },
    seconds: 2,
    reused: 1,
  }
  // the last line of a search that runs is not whole
  file(
    'results/search/trajectory.jsonl',
    `${JSON.stringify(pull)}\n${JSON.stringify({ ...pull, seq: 1, arm: 'main h1', layer: 'h1', scores: {}, failed: 'no' })}\n{"seq":2,"ar`,
  )
})

const query = (sql: string, ...flags: string[]): Promise<Ran> =>
  strata(['results', 'query', sql, '--results', root, ...flags])
const rowsOf = async (sql: string): Promise<unknown[]> => {
  const { code, stdout, stderr } = await query(sql, '--json')
  if (code !== 0) throw new Error(stderr)
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)
}

describe('strata results query', () => {
  test('prints a table for a person', async () => {
    const { code, stdout } = await query(
      'PIVOT (SELECT representation, task, score FROM results) ON task USING first(score) ORDER BY "Labels" DESC',
    )
    expect(code).toBe(0)
    expect(stdout).toMatch(/^representation +Both +Labels +Pairs +Rare\n/)
    expect(stdout).toMatch(/\nh2 +0\.945 +0\.9 +0\.45 +–\n/)
    expect(stdout).toMatch(/\n5 rows\n$/)
  })

  test.each([
    [
      'never ends',
      'WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT 1 - n FROM r) SELECT sum(n) FROM r',
      'takes too long',
    ],
    [
      'is slow between its rows',
      'SELECT a.range FROM range(100000000000) a WHERE a.range % 99999999999 = 7',
      'takes too long',
    ],
    [
      'needs more memory than there is',
      "SELECT list(repeat('x', 1000) || range) FROM range(50000000)",
      'Out of Memory',
    ],
    ['is no table', 'SELECT * FROM range(1000000)', 'too many rows for a table'],
  ])('a query that %s is ended', async (_, sql, words) => {
    const { code, stderr } = await query(sql, '--timeout', words === 'takes too long' ? '1' : '60')
    expect([code === 0, stderr]).toEqual([false, expect.stringContaining(words)])
  })

  test('knows a result, its numbers, its items, a pull, a failure', async () => {
    expect(
      await rowsOf(
        "SELECT model, revision, layer, score, english, parts, seconds, profile, settings->>'pooling' AS pooling FROM results WHERE task = 'Both' AND representation = 'h10'",
      ),
    ).toEqual([
      {
        model: 'org/model',
        revision: 'main',
        layer: 10,
        score: 0.795,
        english: 0.795,
        parts: 2,
        seconds: 1.9,
        profile: 'mteb-2',
        pooling: 'mean',
      },
    ])
    expect(
      await rowsOf(
        "SELECT split, subset, metric, value, languages FROM scores WHERE task = 'Both' AND representation = 'h10' ORDER BY value",
      ),
    ).toEqual([
      { split: 'test', subset: 'en', metric: 'main_score', value: 0.6, languages: 'eng-Latn' },
      { split: 'test', subset: 'de', metric: 'main_score', value: 0.99, languages: 'eng-Latn' },
    ])
    // where one representation is right and another is not
    expect(
      await rowsOf(
        "SELECT count(*) AS better FROM items a JOIN items b USING (task, split, subset, item) WHERE a.representation = 'h2' AND b.representation = 'default' AND a.correct > b.correct",
      ),
    ).toEqual([{ better: 60 }])
    expect(
      await rowsOf(
        'SELECT search, policy, seq, representation, layer, score, reward, tasks, failed FROM trajectories ORDER BY seq',
      ),
    ).toEqual([
      {
        search: 'search',
        policy: 'random',
        seq: 0,
        representation: 'h2',
        layer: 2,
        score: 0.5,
        reward: 1.5,
        tasks: 2,
        failed: null,
      },
      {
        search: 'search',
        policy: 'random',
        seq: 1,
        representation: 'h1',
        layer: 1,
        score: null,
        reward: null,
        tasks: 2,
        failed: 'no',
      },
    ])
    expect(await rowsOf('SELECT representation, task, code FROM failures')).toEqual([
      { representation: 'h2', task: 'Rare', code: 'task.empty' },
    ])
    expect(await rowsOf('SHOW TABLES')).toEqual(
      ['failures', 'items', 'results', 'scores', 'trajectories'].map((name) => ({ name })),
    )
  })

  test('writes csv, JSON lines and parquet', async () => {
    const sql =
      "SELECT representation, score, '=1' AS formula FROM results WHERE task = 'Labels' ORDER BY score DESC, representation LIMIT 2"
    for (const name of ['best.csv', 'best.jsonl', 'best.parquet'])
      expect((await query(sql, '--out', path(name))).stderr).toContain(`2 rows → ${path(name)}`)
    expect(readFileSync(path('best.csv'), 'utf8')).toBe(
      "representation,score,formula\r\nh2,0.9,'=1\r\ndefault,0.6,'=1\r\n",
    )
    expect((await query(sql, '--format', 'csv')).stdout).toBe(
      "representation,score,formula\nh2,0.9,'=1\ndefault,0.6,'=1\n",
    )
    const columns = { representation: ['h2', 'default'], score: [0.9, 0.6], formula: ['=1', '=1'] }
    expect(await readColumns([path('best.jsonl')])).toEqual({ rows: 2, columns })
    expect(await readColumns([path('best.parquet')])).toEqual({ rows: 2, columns })
    expect((await query(sql, '--out', path('named'), '--format', 'json')).code).toBe(0)
    expect(readFileSync(path('named'), 'utf8')).toBe(readFileSync(path('best.jsonl'), 'utf8'))
  })

  test('an answer that fails half-way leaves no file', async () => {
    const { code } = await query(
      "SELECT CAST(CASE WHEN i = 90000 THEN 'x' ELSE '1' END AS INTEGER) AS n FROM range(100000) t(i)",
      '--out',
      path('half.csv'),
    )
    expect([code, existsSync(path('half.csv'))]).toEqual([2, false])
  })

  test.each([
    { args: ['SELECT scor FROM results'], words: 'Candidate bindings: "score"' },
    { args: ['SELECT * FROM result'], words: 'Did you mean "results"?' },
    {
      args: ["SELECT * FROM read_text('/etc/passwd')"],
      words: 'the tables are results, scores, items, trajectories, failures',
    },
    { args: [`COPY results TO '${path('stolen.csv')}'`], words: 'nothing else can be read or written' },
    { args: ['SELECT', '1'], words: 'in quotation marks' },
    { args: [], words: 'no query is given' },
    { args: ['SELECT 1', '--format', 'parquet'], words: '--out FILE.parquet' },
    { args: ['SELECT 1', '--out', path('x.csv'), '--format', 'table'], words: 'cannot be written to a file' },
  ])('$args is refused: exit 2', async ({ args, words }) => {
    const { code, stderr } = await strata(['results', 'query', ...args, '--results', root])
    expect(stderr).toContain(words)
    expect([code, existsSync(path('stolen.csv')), existsSync(path('x.csv'))]).toEqual([2, false, false])
  })

  test('a format is the query’s alone', async () => {
    const { code, stderr } = await strata(['results', 'list', '--format', 'csv', '--results', root])
    expect([code, stderr.includes('--format: has no effect on strata results list')]).toEqual([2, true])
  })

  test('a file that is none is named; a folder that is not there is refused: exit 1', async () => {
    await madeFolder(path('spoilt'))
    writeFileSync(path('spoilt/org__model/main/Broken.json'), '{')
    const { code, stderr, stdout } = await strata([
      'results',
      'query',
      'SELECT count(*) AS n FROM results',
      '--format',
      'csv',
      '--results',
      path('spoilt'),
    ])
    expect([code, stdout]).toEqual([1, 'n\n18\n'])
    expect(stderr).toMatch(/unreadable .*Broken\.json/)
    expect(await strata(['results', 'query', 'SELECT 1 FROM results', '--results', path('nowhere')])).toMatchObject({
      code: 1,
    })
  })
})
