// Exported folders as transformers.js and onnxruntime-web read them: node export-check.mjs PLAN.json, as export_check.py. `engine`: transformers.js, or web (WASM).
import { readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

const { AutoModel, AutoTokenizer, BertModel, env } = await import('@huggingface/transformers')
env.allowRemoteModels = false
const plan = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const batch = 32

async function byTransformers(folder, tokenizer) {
  // AutoModel takes a T5 for an encoder and a decoder in two files; any class of encoders reads the one that is here.
  const { model_type: type } = JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8'))
  const model = await (type === 't5' ? BertModel : AutoModel).from_pretrained(basename(folder), {
    dtype: 'fp32',
    device: 'cpu',
  })
  return async (words) => (await model(await tokenizer(words, { padding: true, truncation: true }))).sentence_embedding
}

async function byWeb(folder, tokenizer) {
  const ort = await import('onnxruntime-web')
  const session = await ort.InferenceSession.create(readFileSync(join(folder, 'onnx', 'model.onnx')), {
    executionProviders: ['wasm'],
  })
  return async (words) => {
    const given = await tokenizer(words, { padding: true, truncation: true })
    const { data, dims } = given.input_ids
    const zeros = new BigInt64Array(data.length)
    const feeds = Object.fromEntries(
      session.inputNames.map((name) => [name, new ort.Tensor('int64', given[name]?.data ?? zeros, dims)]),
    )
    return (await session.run(feeds)).sentence_embedding
  }
}

async function encoder(folder, engine) {
  env.localModelPath = dirname(folder)
  const tokenizer = await AutoTokenizer.from_pretrained(basename(folder))
  const run = engine === 'web' ? await byWeb(folder, tokenizer) : await byTransformers(folder, tokenizer)
  return async (texts) => {
    const order = texts.map((_, index) => index).sort((a, b) => texts[b].length - texts[a].length)
    const rows = Array.from({ length: texts.length })
    for (let at = 0; at < order.length; at += batch) {
      const part = order.slice(at, at + batch)
      const { data, dims } = await run(part.map((index) => texts[index]))
      part.forEach((index, row) => (rows[index] = data.slice(row * dims[1], (row + 1) * dims[1])))
    }
    return rows
  }
}

function cpuSeconds() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

for (const { id, folder, original, count, out, engine } of plan.pairs) {
  try {
    const encode = await encoder(folder, engine)
    const rows = await encode(plan.texts.slice(0, count))
    const tokenizer = await AutoTokenizer.from_pretrained(basename(folder))
    const [whole, few] = [false, true].map((truncation) =>
      plan.texts.slice(0, plan.timed).map((text) => tokenizer(text, { truncation }).input_ids.dims[1]),
    )
    const cut = whole.flatMap((length, row) => (length > few[row] ? [row] : []))
    const flat = new Float32Array(rows.length * rows[0].length)
    rows.forEach((row, index) => flat.set(row, index * row.length))
    writeFileSync(out, flat)
    const seconds = {}
    if (original !== null) {
      const before = await encoder(original, engine)
      const timed = plan.texts.slice(0, engine === 'web' ? Math.min(64, plan.timed) : plan.timed)
      const took = { exported: [], original: [] }
      for (let round = 0; round < plan.rounds; round++)
        for (const [name, run] of Object.entries({ exported: encode, original: before })) {
          const start = cpuSeconds()
          await run(timed)
          took[name].push(cpuSeconds() - start)
        }
      for (const [name, values] of Object.entries(took))
        seconds[name] = values.sort((a, b) => a - b)[Math.floor(values.length / 2)]
    }
    console.log(JSON.stringify({ id, seconds, cut }))
  } catch (error) {
    console.log(JSON.stringify({ id, error: String(error).slice(0, 400) }))
  }
}
