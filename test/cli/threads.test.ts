import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writePets } from '../experiment/sweep/pets.ts'
import { carriedHub, carriedModel } from '../carried.ts'
import { strata } from './program.ts'

/** Writes the name of every worker that a program starts, with the number of threads that it may keep busy. */
const hook = `
import { appendFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import threads, { Worker } from 'node:worker_threads'
threads.Worker = class extends Worker {
  constructor(program, options) {
    super(program, options)
    const name = String(program).split('/').slice(-2).join('/')
    appendFileSync(process.env.STARTED, name + ' ' + options?.env?.STRATA_THREADS + '\\n')
  }
}
syncBuiltinESMExports()
`

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'strata-threads-'))
  await writeFile(join(folder, 'hook.mjs'), hook)
})
afterAll(() => rm(folder, { recursive: true }))

/** Scores of two layers of the carried model on the pets, and the workers of the program. */
async function layersWith(threads: string): Promise<{ scores: unknown[]; started: string[] }> {
  const [results, started] = [join(folder, `results-${threads}`), join(folder, `started-${threads}`)]
  const asked = ['--layers', 'h0,h6', '--tasks', await writePets(folder)]
  const words = ['layers', carriedModel, ...asked, '--results', results, '--threads', threads]
  const ran = await strata(words, {
    env: {
      NODE_OPTIONS: `--import ${pathToFileURL(join(folder, 'hook.mjs')).href}`,
      STARTED: started,
      ...carriedHub,
      STRATA_CACHE: join(folder, `cache-${threads}`),
    },
  })
  expect(ran).toMatchObject({ code: 0 })
  const files = (await readdir(results, { recursive: true })).filter((path) => path.endsWith('pets.json')).toSorted()
  const read = files.map(async (path) => JSON.parse(await readFile(join(results, path), 'utf8')) as { scores: unknown })
  return {
    scores: (await Promise.all(read)).map(({ scores }) => scores),
    started: (await readFile(started, 'utf8')).trim().split('\n'),
  }
}

test('--threads limits every worker of the program, and scores do not depend on it', async () => {
  const [one, two] = [await layersWith('1'), await layersWith('2')]
  expect(one.started).toEqual(['runtime/worker.js 1'])
  // so few texts are one batch: a second worker would have nothing to do
  expect(two.started.length).toBeLessThanOrEqual(2)
  expect(one.scores.length).toBe(2)
  expect(two.scores).toEqual(one.scores)
})

test('STRATA_THREADS that is no count is refused', async () => {
  const ran = await strata(['doctor'], { env: { STRATA_THREADS: 'many', STRATA_CACHE: join(folder, 'cache') } })
  expect(ran.stderr + ran.stdout).toContain('STRATA_THREADS: is not a number of threads – many, wanted 1 … 1024')
})
