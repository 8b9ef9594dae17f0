import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Result } from '#core'
import { answering, type Question, type Reply } from '../model/server/answering.ts'
import { scratchFolder } from '../scratch.ts'
import { strata } from './program.ts'
import { running } from './serving.ts'

const { path, file } = scratchFolder()
const model = 'assets/models/stories260K'
const sentences = [
  'Once upon a time there was a little girl named Lily.',
  'Tom had a big red ball and he liked to play with it.',
  'The cat sat on the mat and looked at the bird.',
  'Mum said that it was time to go to bed.',
  'They went to the park and saw a dog.',
  'It rained all day, so they stayed at home.',
  'The dog ran after the ball.',
  'Lily was sad because her toy was broken.',
]
const at = (i: number): string => sentences[i % sentences.length] ?? ''

beforeAll(() => {
  const pairs = Array.from({ length: 12 }, (_, i) => ({
    sentence1: at(i),
    sentence2: at(3 * i + 1),
    score: (i * 7) % 5,
  }))
  file('pairs.json', JSON.stringify(pairs))
  file('pairs.yaml', 'name: Pairs\ntype: STS\ndata: { test: pairs.json }\n')
  file('corpus.json', JSON.stringify(sentences.map((text, i) => ({ _id: `d${i}`, text }))))
  const questions = ['Who is sad?', 'Where is the cat?', 'What did Tom like?', 'What did the dog do?']
  file('queries.json', JSON.stringify(questions.map((text, i) => ({ _id: `q${i}`, text }))))
  file('qrels.tsv', 'query-id\tcorpus-id\tscore\nq0\td7\t1\nq1\td2\t1\nq2\td1\t1\nq3\td6\t1\nq3\td4\t1\n')
  file(
    'search.yaml',
    'name: Search\ntype: Retrieval\ndata: { corpus: corpus.json, queries: queries.json, qrels: qrels.tsv }\n',
  )
  const labelled = Array.from({ length: 16 }, (_, i) => ({ text: `${at(i)} ${at(5 * i + 2)}`, label: i % 2 }))
  file('labelled.json', JSON.stringify(labelled))
  file(
    'kinds.yaml',
    'name: Kinds\ntype: Classification\nsamples_per_label: 4\ndata: { train: labelled.json, test: labelled.json }\n',
  )
})

const tasks = ['pairs.yaml', 'search.yaml', 'kinds.yaml']
const taskFlags = (names = tasks): string[] => names.flatMap((name) => ['--task-file', path(name)])

async function scores(args: readonly string[], names = tasks): Promise<Map<string, Result>> {
  const { code, stdout, stderr } = await strata(['evaluate', ...taskFlags(names), '--json', ...args])
  if (code !== 0) throw new Error(`${stderr}${stdout}`)
  const results = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Result)
  return new Map(results.map((result) => [result.task_name, result]))
}

/** Every number of the scores, by its place. */
function numbers(value: unknown, place = ''): [string, number][] {
  if (typeof value === 'number') return [[place, value]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, one]) => numbers(one, `${place}/${name}`))
}

const served = (address: string, more = ''): string[] => [
  '--model',
  'openai-embeddings',
  '--model_args',
  `base_url=${address}/v1,model=stories260K${more}`,
]
const kept = (name: string): string[] => ['--results', path(`${name}-results`), '--cache-dir', path(`${name}-cache`)]

describe('strata evaluate asks a server for vectors', () => {
  test('our own server gives the scores of the model itself', async () => {
    const own = await scores([model, ...kept('own'), '--representation', 'default'])
    const inner = await scores([model, ...kept('own'), '--representation', 'h2'])
    await running([model], { OMP_NUM_THREADS: '1' }, async (address) => {
      const asked = await scores([...served(address, ',batch=3,num_concurrent=2'), ...kept('asked')])
      const behind = await scores([...served(address, '#h2,encoding_format=base64'), ...kept('asked')])
      const tei = ['--model', 'tei-embeddings', '--model_args', `base_url=${address}/embed,model=stories260K`]
      const embedded = await scores([...tei, ...kept('asked')])
      for (const [found, wanted] of [
        [asked, own],
        [behind, inner],
        // its vectors have length 1, and the tasks compare by cosine or learn from them
        [embedded, await scores([model, ...kept('own'), '--normalize'])],
      ] as const)
        for (const name of ['Pairs', 'Search', 'Kinds']) {
          const expected = numbers(wanted.get(name)?.scores)
          const actual = new Map(numbers(found.get(name)?.scores))
          expect(expected.length).toBeGreaterThan(3)
          // both ways send the same float32: 1e-6 is the bound that was asked for
          for (const [place, value] of expected)
            expect(Math.abs((actual.get(place) ?? NaN) - value) <= 1e-6 || `${name}${place}`).toBe(true)
        }
      // another layer has other scores, so that equal ones mean something
      expect(numbers(own.get('Pairs')?.scores)).not.toEqual(numbers(inner.get('Pairs')?.scores))
    })
  })
})

/** A vector of the letters of a text, under its prompt. */
const lettersOf = (text: string, width: number): number[] =>
  Array.from({ length: width }, (_, slot) =>
    Array.from(text).reduce((sum, letter, i) => sum + Math.sin((letter.codePointAt(0) ?? 0) * (slot + 1) + i), 1),
  )

interface Asked {
  readonly root: string
  /** Texts of the task, without the probes, since the last look. */
  readonly sent: () => string[]
  readonly requests: () => number
}

async function asking(
  use: (server: Asked) => Promise<void>,
  answer: (question: Question, text: string) => readonly number[] = ({ body }, text) =>
    lettersOf(text, Number(body['dimensions'] ?? 6)),
): Promise<void> {
  const reply = (question: Question): Reply => ({
    content: {
      model: question.body['model'],
      data: (question.body['input'] as string[]).map((text, index) => ({ index, embedding: answer(question, text) })),
    },
  })
  const server = await answering(reply)
  try {
    await use({
      root: server.root,
      requests: () => server.questions.length,
      sent: () =>
        server.questions.splice(0).flatMap(({ body }) => (body['input'] as string[]).filter((text) => ours.test(text))),
    })
  } finally {
    await server.close()
  }
}
const ours = /Lily|ball|mat and|Mum|park|rained/

const line = (root: string, more: string, name: string, args: readonly string[] = []): string[] => [
  '--model',
  'openai-embeddings',
  '--model_args',
  `base_url=${root},model=m${more}`,
  ...kept(name),
  ...args,
]

describe('vectors of a server are kept', () => {
  test('two settings on one cache never share one, and each is asked once', async () => {
    await asking(async ({ root, sent }) => {
      const settings: readonly (readonly [more: string, args: readonly string[]])[] = [
        ['', []],
        [',dimensions=3', []],
        [',dimensions=5', []],
        [',revision=two', []],
        ['#h2', []],
        ['', ['--prompt', 'query: ']],
      ]
      const seen = new Set<string>()
      for (const [more, args] of settings) {
        const first = await scores(line(root, more, 'keys', args), ['pairs.yaml'])
        const asked = sent()
        expect([more, asked.sort()]).toEqual([more, sentences.map((text) => `${args[1] ?? ''}${text}`).sort()])
        seen.add(first.get('Pairs')?.strata.fingerprint ?? '')
        // the same question again: the result is there; without it, the vectors are
        const repeated = [...line(root, more, 'keys', args), '--results', path(`again${seen.size}`)]
        const again = await scores(repeated, ['pairs.yaml'])
        expect(again.get('Pairs')?.scores).toEqual(first.get('Pairs')?.scores)
        expect(sent()).toEqual([])
      }
      expect(seen.size).toBe(settings.length)
      // how numbers travel, and in which pieces, moves none
      await scores(line(root, ',batch=2,num_concurrent=3', 'keys'), ['pairs.yaml'])
      expect(sent()).toEqual([])
    })
  })

  test('a server that runs something else by now is found out by its probes, and has a name for it', async () => {
    let shift = 0
    const answer = (_: Question, text: string): number[] => lettersOf(`${'x'.repeat(shift)}${text}`, 6)
    await asking(async ({ root }) => {
      await scores(line(root, '', 'moved'), ['pairs.yaml'])
      shift = 2
      const { code, stdout, stderr } = await strata([
        'evaluate',
        ...taskFlags(['search.yaml']),
        ...line(root, '', 'moved', ['--json']),
      ])
      expect([code, stdout + stderr]).toEqual([1, expect.stringContaining('it runs something else now')])
      await scores(line(root, ',revision=after', 'moved'), ['search.yaml'])
    }, answer)
  })

  test('the plan asks nothing, and says how much would be asked', async () => {
    await asking(async ({ root, requests, sent }) => {
      const plan = async (more: string): Promise<string> => {
        const { code, stdout, stderr } = await strata([
          'evaluate',
          ...taskFlags(['pairs.yaml']),
          ...line(root, `,batch=3${more}`, 'plan', ['--dry-run']),
        ])
        if (code !== 0) throw new Error(stderr)
        return stdout
      }
      const letters = sentences.reduce((sum, text) => sum + text.length, 0)
      // a text of both columns counts twice
      expect(await plan('')).toContain(
        `ask         16 of 16 texts (the others are cached), about ${2 * Math.round(letters / 4)} tokens (4 letters each), 6 requests`,
      )
      expect(requests()).toBe(0)
      await scores(line(root, '', 'plan', ['--results', path('elsewhere')]), ['pairs.yaml'])
      sent()
      expect(await plan('')).toContain('ask         0 of 16 texts')
      expect(await plan(',dimensions=3')).toContain('ask         16 of 16 texts')
      expect(requests()).toBe(0)
    })
  })

  test('rows compared by different similarities have different names, the usual one none of its own', async () => {
    await asking(async ({ root, sent }) => {
      const names: (string | undefined)[] = []
      for (const more of ['', ',similarity=cosine', ',similarity=dot', ',similarity=euclidean']) {
        const found = await scores(line(root, more, 'compared'), ['pairs.yaml'])
        names.push(found.get('Pairs')?.strata.representation)
        // the same vectors, whatever compares them
        expect(sent()).toHaveLength(more === '' ? sentences.length : 0)
      }
      expect(names).toEqual(['default', 'default', 'default+similarity-dot', 'default+similarity-euclidean'])
    })
  })

  test('sides have their own prompts', async () => {
    await asking(async ({ root, sent }) => {
      const prompts = { query: 'ball query: ', document: 'ball passage: ' }
      const settings = JSON.stringify({ base_url: root, model: 'm', prompts })
      await scores(['--model', 'openai-embeddings', '--model_args', settings, ...kept('sides')], ['search.yaml'])
      const asked = sent()
      expect(asked.filter((text) => text.startsWith(prompts.query))).toHaveLength(4)
      expect(asked.filter((text) => text.startsWith(prompts.document))).toHaveLength(sentences.length)
      expect(asked).toHaveLength(4 + sentences.length)
    })
  })
})

describe('the key', () => {
  test('goes to the server, and into no file and no message', async () => {
    const env = { SOME_KEY: 'not-to-be-seen' }
    let isAsked = false
    await asking(
      async ({ root }) => {
        const args = ['evaluate', ...taskFlags(['pairs.yaml']), ...line(root, ',api_key_env=SOME_KEY', 'key')]
        const good = await strata(args, { env })
        expect([good.code, isAsked]).toEqual([0, true])
        expect(`${good.stdout}${good.stderr}`).not.toContain('not-to-be-seen')
        const unset = await strata(args, { env: { SOME_KEY: '' } })
        expect([unset.code, unset.stderr]).toEqual([2, expect.stringContaining('export SOME_KEY=')])
        const files = ['key-results', 'key-cache'].flatMap((name) =>
          readdirSync(path(name), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()),
        )
        expect(files.length).toBeGreaterThan(2)
        for (const entry of files)
          expect([entry.name, readFileSync(join(entry.parentPath, entry.name)).includes('not-to-be-seen')]).toEqual([
            entry.name,
            false,
          ])
      },
      ({ authorization }, text) => {
        isAsked ||= authorization === 'Bearer not-to-be-seen'
        return lettersOf(text, 6)
      },
    )
  })

  test('is not needed to look at a run, or to stop it', async () => {
    const experiment = file(
      'keyed.yaml',
      'task_files: pairs.yaml\nrepresentations: default\nservers: [{ model: openai-embeddings, model_args: { base_url: "http://localhost:9", model: m, api_key_env: NO_SUCH_KEY } }]\n',
    )
    const ran = (...flags: readonly string[]): ReturnType<typeof strata> =>
      strata(['run', experiment, '--out', path('keyed'), ...flags])
    const status = await ran('--status')
    expect([status.code, status.stdout]).toEqual([0, expect.stringContaining('1 jobs')])
    expect((await ran('--cancel')).stderr).not.toContain('NO_SUCH_KEY')
    for (const flags of [['--dry-run'], []]) {
      const { code, stderr } = await ran(...flags)
      expect([code, stderr]).toEqual([2, expect.stringContaining('export NO_SUCH_KEY=')])
    }
  })

  test.each([
    [['--model', 'openai-embeddings', '--model_args', 'model=m'], 'export OPENAI_API_KEY='],
    [['--model', 'tei-embeddings', '--model_args', 'model=m'], 'the address of the server is missing'],
    [['--model', 'openai-embeddings', '--model_args', 'base_url=http://localhost:9'], 'add model=NAME'],
    [['--model', 'openai-embeddings', '--model_args', 'base_url=http://a:b@localhost:9,model=m'], 'seen by everybody'],
    [['--model', 'openai-embeddings', '--model_args', 'base_url=http://localhost:9,model=m,dimension=3'], 'dimensions'],
    [
      ['--model', 'openai-embeddings', '--model_args', 'base_url=http://localhost:9,model=m,dimensions=0'],
      'whole number',
    ],
    [
      ['--model', 'openai-embeddings', '--model_args', 'base_url=http://localhost:9,model=m,normalize=True'],
      '--normalize',
    ],
    [
      ['--model', 'openai-embeddings', '--model_args', 'base_url=http://localhost:9,model=m', '--representation', 'h3'],
      'model=NAME#h3',
    ],
    [
      ['--model', 'openai-embeddings', '--model_args', 'base_url=http://localhost:9,model=m', '--pooling', 'cls'],
      '--pooling',
    ],
  ])('%j is refused before anything is asked', async (args, words) => {
    const { code, stderr } = await strata(['evaluate', ...taskFlags(['pairs.yaml']), ...args], {
      env: { OPENAI_API_KEY: '' },
    })
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)])
  })
})
