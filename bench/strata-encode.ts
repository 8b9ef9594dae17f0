/**
 * Strata's turn in `encode`: the library as a user calls it, on the texts of a file. `--states all` keeps every layer.
 * [--engine NAME] [--dtype TYPE]
 */
import { readFileSync } from 'node:fs'
import type { ComputeType } from '../src/model/passes/index.ts'
import type { Engine } from '../src/platform/runtime/index.ts'
import { flag } from './lib/flags.ts'
import { encode, layerVectors, openModel } from './lib/strata.ts'

const sets = JSON.parse(readFileSync(flag('texts', ''), 'utf8')) as Record<string, string[]>
const all = flag('states', 'last') === 'all'

const started = performance.now()
const model = await openModel(flag('model', ''), {
  engine: flag('engine', 'onnxruntime') as Engine,
  dtype: flag('dtype', 'float32') as ComputeType,
})
const loadSeconds = (performance.now() - started) / 1000

const seconds: Record<string, number> = {}
const samples: Record<string, number[][]> = {}
for (const [name, texts] of Object.entries(sets)) {
  const start = performance.now()
  const { data, width } = all
    ? ((await layerVectors(model, texts)).at(-1) ?? { data: new Float32Array(), width: 0 })
    : await encode(model, texts)
  seconds[name] = (performance.now() - start) / 1000
  samples[name] = Array.from({ length: Math.min(8, texts.length) }, (_, i) => [
    ...data.subarray(i * width, (i + 1) * width),
  ])
}
await model.close()
console.log(JSON.stringify({ loadSeconds, seconds, samples }))
