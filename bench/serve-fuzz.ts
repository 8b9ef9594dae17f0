/**
 * A served language model and a served reranker get malformed requests: only 4xx, or a connection closed by a protocol
 * error; never 5xx, never silence, and the vectors afterwards are those from before.
 *
 *   node bench/run.mjs serve-fuzz [--count 100000] [--seed 1]
 */
import { join } from 'node:path'
import { flag } from './lib/flags.ts'
import { fuzz } from './lib/fuzz.ts'
import { makeReranker } from './lib/made-reranker.ts'
import { root, scratchFolder } from './lib/places.ts'
import { mulberry } from './lib/random.ts'
import { machine, writeResult } from './lib/report.ts'
import { serverOf } from './lib/server-process.ts'

const count = Number(flag('count', '100000'))
const seed = Number(flag('seed', '1'))
const facts = await machine()
const head = scratchFolder('reranker')
makeReranker(head)
const server = await serverOf([join(root, 'assets', 'models', 'stories260K'), head])
const names = { model: 'stories260K', head: 'reranker' }
const probe = async (): Promise<string> => {
  const body = JSON.stringify({ input: ['A dog.', 'The end.'], layers: 'all' })
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${server.address}/v1/embeddings`, { method: 'POST', headers, body })
  return JSON.stringify(((await response.json()) as { data: unknown }).data)
}
try {
  const before = await probe()
  const started = performance.now()
  let shown = 0
  const found = await fuzz({
    address: server.address,
    names,
    count,
    draw: mulberry(seed),
    onProgress(done) {
      if (done < shown + 10_000) return
      shown = done
      console.log(`${done} of ${count}, ${((performance.now() - started) / 1000).toFixed(0)} s`)
    },
  })
  const isRight = (await probe()) === before
  const counted = await (await fetch(`${server.address}/metrics`)).text()
  const failures = counted.split('\n').filter((line) => /status="5/.test(line))
  const waiting = Number(/^strata_queue_requests (\d+)/m.exec(counted)?.[1])
  for (const complaint of found.complaints) console.log(complaint)
  console.log(found, { isRight, failures, waiting, said: server.errors().slice(-2000) })
  const seconds = (performance.now() - started) / 1000
  if (count >= 100_000)
    writeResult('serve-fuzz', { machine: facts, seed, seconds, ...found, rightAfterwards: isRight, failures })
  if (!isRight || failures.length > 0 || found.complaints.length > 0 || waiting > 1) process.exitCode = 1
} finally {
  await server.stop()
}
