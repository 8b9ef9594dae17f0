/**
 * Strata's turn in `rerank`: the library as a user calls it, all pairs of a file in one call.
 *
 *   strata-rerank.js --model FOLDER --pairs FILE
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type * as Library from '../src/index.ts'
import { flag } from './lib/flags.ts'
import { root } from './lib/places.ts'

// nothing but the library, whose memory is measured
const { openModel } = (await import(pathToFileURL(join(root, 'dist', 'index.js')).href)) as typeof Library

const pairs = JSON.parse(readFileSync(flag('pairs', ''), 'utf8')) as (readonly [string, string])[]
const started = performance.now()
const model = await openModel(flag('model', ''))
const reranker = await model.reranker?.()
const loadSeconds = (performance.now() - started) / 1000
const [cpu, start] = [process.cpuUsage(), performance.now()]
const scores = await reranker?.score(pairs)
const seconds = (performance.now() - start) / 1000
const { user, system } = process.cpuUsage(cpu)
await model.close()
console.log(JSON.stringify({ loadSeconds, seconds, cpuSeconds: (user + system) / 1e6, scores: [...(scores ?? [])] }))
