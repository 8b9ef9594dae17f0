import { fork, type ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { resultDocument, scoreMeans, resultPath } from '#result/ledger'
import { builtDoor } from '../../built.ts'
import { scratchFolder } from '../../scratch.ts'
import { untilChanged } from '../../until.ts'
import { sampleResult } from './made-results.ts'

const { file, path } = scratchFolder()
mkdirSync(path('built'))

/**
 * Writes the same result again and again, each time with the scores of a subset list of another length; `count` times,
 * then ends.
 */
const writer = file(
  'built/writer.js',
  `import { writeResult } from ${JSON.stringify(builtDoor('result/ledger'))}
   const { root, result, count, own } = JSON.parse(process.argv[2])
   for (let i = 0; i < count; i++) {
     const [subset] = result.scores.test
     result.scores.test = Array.from({ length: 1 + (i % 200) }, (_, k) => ({ ...subset, main_score: own, hf_subset: 's' + k }))
     await writeResult(root, result, { items: { columns: [{ name: 'own', type: 'number' }], rows: [{ own }] } })
     if (i === 0) process.send('started')
   }`,
)

function start(root: string, own: number, count: number): ChildProcess {
  return fork(writer, [JSON.stringify({ root, own, count, result: sampleResult() })], { execArgv: [] })
}

const target = (root: string) =>
  resultPath(
    { root, model: sampleResult().strata.model, revision: sampleResult().strata.revision, representation: 'h3' },
    'STS17',
  )

/** The file is always one writer's whole document. */
function expectWhole(root: string): void {
  const result = JSON.parse(readFileSync(target(root), 'utf8')) as ReturnType<typeof sampleResult>
  const subsets = result.scores?.['test'] ?? []
  expect(new Set(subsets.map(({ main_score: own }) => own)).size).toBe(1)
  expect(subsets.map(({ hf_subset: name }) => name)).toEqual(subsets.map((_, k) => `s${k}`))
  expect(result.strata).toEqual({ ...resultDocument(sampleResult()).strata, means: scoreMeans(result.scores ?? {}) })
}

test('two processes that write one result: never a torn file, the last one wins, nothing is left over', async () => {
  const root = path('race')
  const children = [start(root, 0.1, 60), start(root, 0.2, 60)]
  const ended = Promise.all(children.map((child) => once(child, 'exit')))
  await Promise.all(children.map((child) => once(child, 'message')))
  while (children.some(({ exitCode, signalCode }) => exitCode === null && signalCode === null)) {
    expectWhole(root)
    await turn()
  }
  expect(await ended).toEqual([
    [0, null],
    [0, null],
  ])
  expectWhole(root)
  expect(readdirSync(dirname(target(root))).sort()).toEqual(['STS17.json', 'items', 'model_meta.json'])
  expect(readdirSync(join(dirname(target(root)), 'items'))).toEqual(['STS17.parquet'])
})

test('a process that is killed while it writes leaves a whole result, and at most temporary files', async () => {
  const root = path('killed')
  for (let round = 0; round < 6; round++) {
    const child = start(root, round, 1_000_000)
    await once(child, 'message')
    await untilChanged(root, 7 * round)
    child.kill('SIGKILL')
    await once(child, 'exit')
    expectWhole(root)
  }
  const names = readdirSync(dirname(target(root)))
  expect(names.filter((name) => name.endsWith('.json')).sort()).toEqual(['STS17.json', 'model_meta.json'])
  expect(names.filter((name) => !/\.(json|tmp)$/.test(name) && name !== 'items')).toEqual([])
  expect(existsSync(join(dirname(target(root)), 'items', 'STS17.parquet'))).toBe(true)
})
