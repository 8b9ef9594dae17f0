import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pairsTask } from '../../cli/pairs-task.ts'
import { strata } from '../../cli/program.ts'
import { scratchFolder } from '../../scratch.ts'

const { path, file } = scratchFolder()
const model = join(import.meta.dirname, '../../../assets/models/stories260K')
const task = pairsTask(file, 'pairs', 'once upon a time')

async function scored(folder: string, representation: string): Promise<string> {
  const kept = ['--results', path(`${folder}-results`), '--cache-dir', path(`${folder}-cache`)]
  const asked = ['evaluate', model, '--task-file', task, '--representation', representation, '--json']
  const { stdout } = await strata([...asked, ...kept])
  const [line = ''] = stdout.split('\n')
  const { scores, strata: about } = JSON.parse(line) as { scores: object; strata: { status: string } }
  expect(about.status).toBe('ok')
  return JSON.stringify(scores)
}

test('every size and type answers as in empty folders, whatever was scored there before, in both orders', async () => {
  const names = ['default', 'default:8', 'default:int8', 'default:8:int8', 'default:uint8', 'default:binary', 'h2:3']
  const fresh = new Map<string, string>()
  for (const name of names) fresh.set(name, await scored(`fresh-${names.indexOf(name)}`, name))
  // uint8 has the steps of int8: their cosines differ
  expect(new Set(fresh.values()).size).toBeGreaterThanOrEqual(names.length - 1)
  for (const [folder, order] of [['forth', names] as const, ['back', names.toReversed()] as const])
    for (const name of order)
      expect({ name, scores: await scored(folder, name) }).toEqual({ name, scores: fresh.get(name) })
})

test('a search over bits is rescored by name, next to the one that is not, and other tasks refuse it', async () => {
  mkdirSync(path('beir/qrels'), { recursive: true })
  const words = ['once', 'upon', 'a time', 'there was', 'the', 'little', 'girl', 'dog', 'ran', 'to', 'her', 'friend']
  const lines = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('')
  const text = (i: number): string =>
    `${words[i % 12] ?? ''} ${words[(5 * i + 3) % 12] ?? ''} ${words[(7 * i) % 11] ?? ''}`
  file('beir/corpus.jsonl', lines(Array.from({ length: 40 }, (_, i) => ({ _id: `d${i}`, text: text(i) }))))
  file('beir/queries.jsonl', lines(Array.from({ length: 12 }, (_, i) => ({ _id: `q${i}`, text: text(3 * i + 1) }))))
  const judged = Array.from({ length: 12 }, (_, i) => `q${i}\td${(3 * i + 2) % 40}\t1\n`)
  file('beir/qrels/test.tsv', `query-id\tcorpus-id\tscore\n${judged.join('')}`)
  const kept = ['--results', path('rescored-results'), '--cache-dir', path('rescored-cache'), '--json']
  const names = 'default,default:binary,default:binary:rescore5,default:binary:rescore'
  const asked = ['evaluate', model, '--tasks', path('beir'), '--representation', names, ...kept]
  const scoresOf = (stdout: string) =>
    new Map(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { scores: object; strata: { representation: string } })
        .map(({ scores, strata: { representation } }) => [representation, JSON.stringify(scores)]),
    )
  const first = scoresOf((await strata(asked)).stdout)
  expect([...first.keys()]).toEqual([
    'default',
    'default:binary',
    'default:binary:rescore5',
    'default:binary:rescore40',
  ])
  expect(new Set(first.values()).size).toBe(4)
  expect(scoresOf((await strata(asked)).stdout)).toEqual(first)
  // cosines of bits are exact now: scores of the arithmetic before have another key
  const settings = (
    await strata(['evaluate', model, '--task-file', task, '--representation', 'default,default:binary', ...kept])
  ).stdout
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { strata: { settings: { cosine?: string } } }).strata.settings.cosine)
  expect(settings.filter((one) => one !== undefined)).toEqual(['exact'])
  const other = ['evaluate', model, '--task-file', task, '--representation', 'default:binary:rescore', ...kept]
  const { code, stdout } = await strata(other)
  expect([code, stdout]).toEqual([1, expect.stringContaining('this task has no search')])
})

test('bytes in a file of vectors are what their type says, and nothing without one', async () => {
  const kept = ['--results', path('typed-results'), '--cache-dir', path('typed-cache')]
  const { stdout } = await strata(['tasks', '--task-file', task, '--texts'])
  const texts = file('recorded.jsonl', stdout)
  const revisions = new Set<string>()
  const scoresOf = async (...given: string[]): Promise<unknown> => {
    const ran = await strata(['evaluate', '--texts', texts, '--task-file', task, '--json', ...kept, ...given])
    expect([ran.code, ran.stderr]).toEqual([0, ''])
    const { scores, strata: about } = JSON.parse(ran.stdout) as { scores: unknown; strata: { revision: string } }
    revisions.add(about.revision)
    return scores
  }
  const wrong: string[] = []
  for (const [type, other] of [
    ['binary', 'int8'],
    ['ubinary', 'uint8'],
  ] as const) {
    const vectors = path(`${type}.npy`)
    await strata(['encode', model, texts, '--representation', `default:${type}`, '--out', vectors])
    const whole = await strata([
      'evaluate',
      model,
      '--task-file',
      task,
      '--representation',
      `default:${type}`,
      '--json',
      ...kept,
    ])
    const bits = await scoresOf('--vectors', vectors, '--vectors-type', type)
    expect(bits).toEqual((JSON.parse(whole.stdout) as { scores: unknown }).scores)
    // on the same folder, other numbers of the same bytes
    expect(await scoresOf('--vectors', vectors, '--vectors-type', other)).not.toEqual(bits)
    expect(await scoresOf('--vectors', vectors, '--vectors-type', type)).toEqual(bits)
    for (const more of [[], ['--vectors-type', 'float32']]) {
      const ran = await strata(['evaluate', '--vectors', vectors, '--texts', texts, '--task-file', task, ...more])
      wrong.push(`${ran.code} ${ran.stderr.includes(`--vectors-type ${type}`)}`)
    }
  }
  // each type has results of its own, next to the others
  expect(revisions.size).toBe(4)
  expect(wrong).toEqual(['2 true', '2 true', '2 true', '2 true'])
})
