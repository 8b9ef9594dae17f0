/**
 * Strata's turn in `static`: the library as a user calls it, every set of a file in one call, several times.
 *
 *   strata-static.js --model FOLDER --texts FILE [--passes 7]
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type * as Library from '../src/index.ts'
import { flag } from './lib/flags.ts'
import { root } from './lib/places.ts'

// nothing but the library, whose memory is measured
const { encode, openModel } = (await import(pathToFileURL(join(root, 'dist', 'index.js')).href)) as typeof Library

const sets = JSON.parse(readFileSync(flag('texts', ''), 'utf8')) as Record<string, string[]>
const passes = Number(flag('passes', '7'))

const started = performance.now()
const model = await openModel(flag('model', ''))
const loadSeconds = (performance.now() - started) / 1000

const found: Record<string, { seconds: number[]; cpuSeconds: number[] }> = {}
const samples: Record<string, number[][]> = {}
for (const [name, texts] of Object.entries(sets)) {
  const [seconds, cpuSeconds]: [number[], number[]] = [[], []]
  for (let pass = 0; pass < passes; pass++) {
    const [cpu, start] = [process.cpuUsage(), performance.now()]
    const { data, width } = await encode(model, texts)
    seconds.push((performance.now() - start) / 1000)
    const { user, system } = process.cpuUsage(cpu)
    cpuSeconds.push((user + system) / 1e6)
    samples[name] = Array.from({ length: Math.min(8, texts.length) }, (_, i) => [
      ...data.subarray(i * width, (i + 1) * width),
    ])
  }
  found[name] = { seconds, cpuSeconds }
}
await model.close()
console.log(JSON.stringify({ loadSeconds, sets: found, samples }))
