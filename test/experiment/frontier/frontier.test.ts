import { expect, test } from 'vitest'
import { strata } from '../../cli/program.ts'
import type { Frontier } from '#experiment/frontier'
import { writeSmallModel } from '../encode/small-model.ts'
import { scratchFolder } from '../../scratch.ts'

const { path, file } = scratchFolder()

/** Pairs of words that the model knows; `gold` is what people said. */
function rows(gold: (i: number) => number, from: number): string {
  const text = (i: number): string => `${'a '.repeat(i % 5)}${'b '.repeat((i * 3) % 4)}${i % 2 === 0 ? 'a' : 'b'}`
  const lines = Array.from({ length: 40 }, (_, i) => `${text(i + from)},${text(7 * i + from + 1)},${gold(i)}`)
  return `${['first,second,rating', ...lines].join('\n')}\n`
}

function taskOf(name: string, dev: ((i: number) => number) | undefined, gold: (i: number) => number): string {
  file(`${name}-test.csv`, rows(gold, 1))
  if (dev !== undefined) file(`${name}-dev.csv`, rows(dev, 3))
  const data = dev === undefined ? '' : `  dev: ${name}-dev.csv\n`
  return file(
    `${name}.yaml`,
    `name: ${name}\ntype: STS\nlanguages: [eng-Latn]\nsplits: [test]\ndata:\n${data}  test: ${name}-test.csv\ncolumns: { sentence1: first, sentence2: second, score: rating }\n`,
  )
}

const up = (i: number): number => i % 7
const down = (i: number): number => (i * 5) % 11

async function frontier(folder: string, ...args: string[]): Promise<Frontier> {
  const model = await writeSmallModel(path('model'))
  const kept = ['--results', path(`${folder}-results`), '--cache-dir', path(`${folder}-cache`)]
  const { stdout, stderr } = await strata(['frontier', model, ...args, ...kept, '--json'])
  expect(stderr).not.toContain('error')
  return JSON.parse(stdout) as Frontier
}

test('every point is scored from one pass, and the choice follows the validation rows alone', async () => {
  const axes = ['--dims', '2,4', '--types', 'float32,binary', '--pooling', 'mean,max']
  const one = await frontier('one', '--task-file', taskOf('one', up, down), ...axes)
  // default, and two states by two poolings, in two sizes and two types
  expect(one.points).toHaveLength(5 * 2 * 2)
  expect([one.baseline, one.tasks]).toEqual(['default', [{ task: 'one', validation: 'dev' }]])
  const validated = one.points.flatMap(({ validation }) => validation ?? [])
  const chosen = one.points.find(({ representation }) => representation === one.chosen)
  expect(chosen?.validation).toBeGreaterThanOrEqual(Math.max(...validated) - one.loss)
  const smaller = one.points.filter(({ bytes }) => bytes < (chosen?.bytes ?? 0))
  expect(Math.max(-1, ...smaller.map(({ validation }) => validation ?? -1))).toBeLessThan(
    Math.max(...validated) - one.loss,
  )
  // other test scores leave the choice as it is; other validation scores do not
  const other = await frontier('other', '--task-file', taskOf('other', up, up), ...axes)
  expect([other.chosen, other.points.map(({ validation }) => validation)]).toEqual([
    one.chosen,
    one.points.map(({ validation }) => validation),
  ])
  expect(other.points.map(({ test: score }) => score)).not.toEqual(one.points.map(({ test: score }) => score))
  const around = one.points.filter(({ interval }) => interval !== undefined)
  const shown = one.points.filter((point) => point.isFront || point.representation === 'default')
  // a point may be on the front and have no test score: in few bits, all pairs are equally similar
  expect(around).toEqual(shown.filter((point) => point.test !== null))
  for (const { interval, test: score } of around)
    expect([interval?.low ?? NaN, score ?? NaN, interval?.high ?? NaN]).toEqual(
      [interval?.low ?? NaN, score ?? NaN, interval?.high ?? NaN].sort((x, y) => x - y),
    )
})

test('asked again on what it left, and after other axes, it says the same', async () => {
  const task = taskOf('again', up, down)
  const small = ['--task-file', task, '--dims', '2', '--types', 'int8']
  const wide = ['--task-file', task, '--types', 'float32,binary']
  const without = ({ seconds: _seconds, passed: _passed, ...rest }: Frontier) => rest
  const [first, second] = [await frontier('fresh-small', ...small), await frontier('fresh-wide', ...wide)]
  expect(without(await frontier('shared', ...small))).toEqual(without(first))
  expect(without(await frontier('shared', ...wide))).toEqual(without(second))
  const again = await frontier('shared', ...small)
  expect(without(again)).toEqual(without(first))
  expect(again.passed.texts).toBe(0)
})

test('without validation rows nothing is chosen, and the front is one in hindsight', async () => {
  const { chosen, points, tasks } = await frontier(
    'bare',
    '--task-file',
    taskOf('bare', undefined, up),
    '--layers',
    'none',
  )
  expect([chosen, tasks]).toEqual([null, [{ task: 'bare', validation: null }]])
  const front = points.filter(({ isFront }) => isFront)
  expect(Math.max(...front.map(({ test: score }) => score ?? -1))).toBe(
    Math.max(...points.map(({ test: score }) => score ?? -1)),
  )
})

test('points whose vectors a task cannot tell apart are said and no failure, a task without any score is one', async () => {
  const model = await writeSmallModel(path('model'))
  const run = (folder: string, task: string) =>
    strata([
      'frontier',
      model,
      '--task-file',
      task,
      '--pooling',
      'mean,max',
      '--dims',
      '2,4',
      '--types',
      'float32,binary',
      '--results',
      path(folder),
      '--cache-dir',
      path(`${folder}-cache`),
    ])
  const some = await run('some', taskOf('some', up, down))
  expect([some.code, /\d+ points? without a score on some task/.test(some.stdout)]).toEqual([0, true])
  const none = await run(
    'none',
    taskOf('none', up, () => 3),
  )
  expect([none.code, none.stdout.includes('every pair has the same gold score')]).toEqual([1, true])
})

test.each([
  [['--types', 'int9'], 'did you mean int8'],
  [['--dims', '5'], 'the vectors have fewer dimensions'],
  [['--pooling', 'men'], 'mean'],
  [['--layers', '9'], 'the model has no such hidden state'],
  [['--loss', '1'], 'one point'],
])('%j is refused', async (args, words) => {
  const model = await writeSmallModel(path('model'))
  const { code, stderr } = await strata(['frontier', model, '--task-file', taskOf('bad', up, up), ...args])
  expect([code, stderr.includes(words) ? words : stderr]).toEqual([2, words])
})
