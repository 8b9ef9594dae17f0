import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fault } from '#core'
import { startThread } from '../../../src/platform/threads/thread.ts'

/** A worker that answers `echo` and dies in the way it is told. */
const script = `
import { parentPort } from 'node:worker_threads'
parentPort.on('message', (question) => {
  if (question === 'close') return parentPort.close()
  const { id, body } = question
  if (body === 'exit') process.exit(7)
  if (body === 'throw') throw new Error('out of luck')
  if (body === 'refuse') parentPort.postMessage({ id, code: 'engine.run', place: 'here', what: 'no', hint: 'try again', seen: 1, wanted: 2 })
  if (body === 'echo') parentPort.postMessage({ id, value: body })
})
`

let folder: string
let url: URL

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'strata-thread-'))
  const path = join(folder, 'worker.mjs')
  await writeFile(path, script)
  url = pathToFileURL(path)
})

afterAll(() => rm(folder, { recursive: true }))

test.each([
  ['exit', '7'],
  ['throw', 'out of luck'],
])('a worker that dies by %s refuses everything in flight and everything after', async (how, reason) => {
  const thread = startThread(url)
  expect(await thread.ask('echo')).toBe('echo')
  expect(thread.ended).toBe(false)
  const answers = ['silence', how, 'silence', 'echo'].map((body) => thread.ask(body))
  for (const answer of answers)
    await expect(answer).rejects.toMatchObject({ code: 'engine.run', message: expect.stringContaining(reason) })
  await expect(thread.ask('echo')).rejects.toMatchObject({ code: 'engine.run' })
  expect([thread.waiting, thread.ended]).toEqual([0, true])
  await thread.close(fault('run.cancelled', { place: 'test', what: 'closed' }))
})

test('a worker that cannot be started refuses the first question', async () => {
  const thread = startThread(new URL('missing.mjs', url))
  await expect(thread.ask('echo')).rejects.toMatchObject({ code: 'engine.run' })
})

test('what a worker refuses arrives with code, words and hint', async () => {
  const thread = startThread(url)
  await expect(thread.ask('refuse')).rejects.toMatchObject({
    code: 'engine.run',
    message: 'here: no – 1, wanted 2',
    hint: 'try again',
  })
  expect(await thread.ask('echo')).toBe('echo')
  await thread.close(fault('run.cancelled', { place: 'test', what: 'closed' }))
})

test('what cannot cross threads is refused and leaves the worker alive', async () => {
  const thread = startThread(url)
  await expect(thread.ask(() => 'a function')).rejects.toMatchObject({ code: 'engine.run' })
  expect(await thread.ask('echo')).toBe('echo')
  await thread.close(fault('run.cancelled', { place: 'test', what: 'closed' }))
})
