// transformers.js' turn in `encode`: the feature-extraction pipeline on the same exported ONNX folder (float32, 256 tokens).
//   node encode.mjs --model FOLDER --texts FILE [--scan] [--batch NAME=SIZE,…]
// The pipeline pads a batch to its longest text and does not sort: texts are sorted here first, which favours it.
import { readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    model: { type: 'string' },
    texts: { type: 'string' },
    batch: { type: 'string', default: '' },
    scan: { type: 'boolean', default: false },
  },
})
const started = performance.now()
const { env, pipeline } = await import('@huggingface/transformers')
env.allowRemoteModels = false
env.localModelPath = dirname(values.model)
const sets = JSON.parse(readFileSync(values.texts, 'utf8'))
const extract = await pipeline('feature-extraction', basename(values.model), { dtype: 'fp32', device: 'cpu' })
const loadSeconds = (performance.now() - started) / 1000

async function encode(texts, batchSize) {
  const start = performance.now()
  const order = texts.map((_, index) => index).sort((a, b) => texts[b].length - texts[a].length)
  const vectors = Array.from({ length: texts.length })
  for (let at = 0; at < order.length; at += batchSize) {
    const batch = order.slice(at, at + batchSize)
    const { data, dims } = await extract(
      batch.map((index) => texts[index]),
      { pooling: 'mean', normalize: true },
    )
    batch.forEach((index, row) => (vectors[index] = data.slice(row * dims[1], (row + 1) * dims[1])))
  }
  return { seconds: (performance.now() - start) / 1000, vectors }
}

if (values.scan) {
  const best = {}
  for (const [name, texts] of Object.entries(sets)) {
    const step = Math.max(1, Math.floor(texts.length / 128))
    const sample = texts.filter((_, index) => index % step === 0).slice(0, 128)
    await encode(sample.slice(0, 8), 8)
    let fastest = Infinity
    for (const size of [1, 4, 8, 16, 32, 64, 128]) {
      const seconds = Math.min((await encode(sample, size)).seconds, (await encode(sample, size)).seconds)
      if (seconds < fastest) [fastest, best[name]] = [seconds, size]
    }
  }
  console.log(JSON.stringify({ batch: best }))
} else {
  const sizes = Object.fromEntries(
    values.batch
      .split(',')
      .filter(Boolean)
      .map((item) => item.split('=')),
  )
  const seconds = {}
  const samples = {}
  for (const [name, texts] of Object.entries(sets)) {
    const done = await encode(texts, Number(sizes[name] ?? 32))
    seconds[name] = done.seconds
    samples[name] = done.vectors.slice(0, 8).map((vector) => [...vector])
  }
  console.log(JSON.stringify({ loadSeconds, seconds, samples }))
}
