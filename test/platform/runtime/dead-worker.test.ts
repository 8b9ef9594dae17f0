/** A session of several workers, some of which die. */
import { expect, test, vi } from 'vitest'
import { fault } from '#core'
import { openSession } from '#platform/runtime'
import type * as threads from '#platform/threads'
import { float32, node, plain, value } from '../onnx/small-graphs.ts'

const workers = vi.hoisted((): { die(): void; readonly thread: threads.Thread }[] => [])
vi.mock('#platform/threads', async (original) => {
  const own = await original<typeof threads>()
  const startThread: typeof own.startThread = (url) => {
    const thread = own.startThread(url)
    const death = fault('engine.run', { place: 'engine', what: 'the worker stopped' })
    workers.push({ thread, die: () => void thread.close(death) })
    return thread
  }
  return { ...own, startThread }
})

const identity = plain({
  nodes: [node('Identity', ['f'], ['f_out'])],
  inputs: [value('f', 'float32', ['n'])],
  outputs: [value('f_out', 'float32', ['n'])],
})

test('the living one computes what the dead one would get; without any the session is lost', async () => {
  const session = await openSession(identity, { workers: 2, threads: 1 })
  const ran = (): Promise<unknown> => session.run({ f: float32([1], [0.5]) })
  const [first, second] = workers
  first?.die()
  expect(first?.thread.ended).toBe(true)
  for (let run = 0; run < 4; run++)
    await expect(ran()).resolves.toMatchObject({ f_out: { data: Float32Array.of(0.5) } })
  expect(session.lost).toBe(false)
  second?.die()
  expect(session.lost).toBe(true)
  await expect(ran()).rejects.toMatchObject({ code: 'engine.run' })
  await session.close()
})
