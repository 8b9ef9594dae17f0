// Records docs/support.json: every golden model, variant, sentence-transformers folder and tokenizer of the shared data through the built program,
// compared with the reference's numbers. `npm run generate` makes docs/support.md from it. Needs $STRATA_SHARED (default ../shared), and for the drawn
// checkpoints of families, of which the repository carries names and shapes, the folders that `python oracles/families.py --folders DIR` writes:
//   node scripts/support.mjs [--families DIR] [NAME…]
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { openTensors, readFloat32 } from '../dist/index.js'

const shared = resolve(process.env.STRATA_SHARED ?? '../shared')
const pico = join(shared, 'models/pico')
const scratch = mkdtempSync(join(tmpdir(), 'strata-support-'))
process.env.HF_HUB_OFFLINE = '1'
process.env.STRATA_CACHE = join(scratch, 'cache')
const words = process.argv.slice(2)
const drawn = words[0] === '--families' ? words[1] : undefined
const only = drawn === undefined ? words : words.slice(2)
const wanted = (name) => only.length === 0 || only.includes(name)

/** Tolerances as the folder's SOURCE.md states them, by model name. */
const tolerances = new Map(
  readFileSync(join(pico, 'SOURCE.md'), 'utf8')
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter((cells) => cells.length > 7 && Number(cells[7]) > 0)
    .map((cells) => [cells[1], Number(cells[7])]),
)

/**
 * One command, in this process, which has loaded the program: most of what a small model takes is start-up. Gives the
 * fault in one line, if it failed.
 */
async function strata(...args) {
  process.argv = [process.execPath, 'strata', ...args]
  process.exitCode = undefined
  let complaint = ''
  const mended = [process.stdout, process.stderr].map((stream) => {
    stream.write = (text, ...rest) => {
      if (stream === process.stderr) complaint += text
      rest.findLast((each) => typeof each === 'function')?.()
      return true
    }
    // what its class has
    return () => delete stream.write
  })
  try {
    // Another query is another module: the program from its first line.
    await import(`../dist/cli/main.js?${(commands += 1)}`)
  } finally {
    for (const mend of mended) mend()
  }
  const failed = (process.exitCode ?? 0) !== 0
  process.exitCode = undefined
  const lines = complaint.trim().split('\n')
  return failed ? (lines.find((line) => line.startsWith('error')) ?? lines[0]) : undefined
}
let commands = 0

/** Largest difference at the real tokens over every output that the golden file holds under `prefix`. */
async function compare(
  reference,
  golden,
  {
    prefix = '',
    outputs = /^(hidden_states\.\d+|last_hidden_state|pooler_output|logits)$/,
    from = prefix,
    flags = [],
  } = {},
) {
  const out = join(scratch, 'out.safetensors')
  const source = await openTensors(golden)
  const names = source.names().filter((name) => name.startsWith(prefix) && outputs.test(name.slice(prefix.length)))
  if (names.length === 0 || source.info(`${from}input_ids`) === undefined) {
    await source.close()
    return undefined
  }
  const numbers = names.flatMap((name) => /hidden_states\.(\d+)$/.exec(name)?.[1] ?? [])
  const logits = names.some((name) => name.endsWith('logits'))
  let ids = golden
  if (prefix !== from) {
    // The reference's plain call of the left-padded batch: without position_ids.
    const { writeSafetensors } = await import('../dist/files/formats/index.js')
    ids = join(scratch, 'ids.safetensors')
    const kept = ['input_ids', 'attention_mask'].map((name) => source.info(`${from}${name}`))
    await writeSafetensors(
      ids,
      await Promise.all(
        kept.map(async (info) => ({
          name: info.name,
          dtype: info.dtype,
          shape: info.shape,
          bytes: await source.read(info.name),
        })),
      ),
    )
  }
  const error = await strata(
    'encode',
    reference,
    '--input-ids',
    ids,
    '--prefix',
    from,
    '--tokens',
    ...(numbers.length === 0 || names.some((name) => name.endsWith('last_hidden_state'))
      ? ['--layers', 'all', '--final-norm', 'native']
      : // one with fewer rows than tokens has none
        ['--layers', numbers.join(',')]),
    ...(logits ? ['--logits'] : []),
    '--out',
    out,
    ...flags,
  )
  if (error !== undefined) {
    await source.close()
    return { error, names }
  }
  const produced = await openTensors(out)
  const mask = await readFloat32(source, `${from}attention_mask`)
  let [difference, relative] = [0, 0]
  const missing = []
  for (const name of names) {
    const short = name.slice(prefix.length)
    if (produced.info(short) === undefined) {
      missing.push(short)
      continue
    }
    const held = heldAs(reference, short)
    const [a, b] = [await readFloat32(produced, short), await readFloat32(source, prefix + held)]
    const { shape } = source.info(name)
    const width = shape.at(-1)
    let [here, greatest] = [a.length === b.length ? 0 : Infinity, 0]
    for (let i = 0; i < b.length; i++) {
      if (shape.length === 3 && mask[Math.floor(i / width)] === 0) continue
      const d = Math.abs(a[i] - b[i])
      if (!(d <= here)) here = Number.isNaN(d) ? Infinity : d
      greatest = Math.max(greatest, Math.abs(b[i]))
    }
    difference = Math.max(difference, here)
    relative = Math.max(relative, here / greatest)
  }
  await produced.close()
  await source.close()
  return { difference, relative, names, missing }
}

/** The golden files are of transformers 4.57, whose ModernBERT listed the raw last block; since 5.0 the normed state stands there, and we follow that. */
function heldAs(folder, output) {
  const path = join(folder, 'config.json')
  // a folder of an adapter has none
  const { model_type: modelType, num_hidden_layers: layers } = existsSync(path)
    ? JSON.parse(readFileSync(path, 'utf8'))
    : {}
  return modelType === 'modernbert' && output === `hidden_states.${layers}` ? 'last_hidden_state' : output
}

/** One row of the report out of several comparisons. */
function row(name, modelType, tolerance, parts) {
  const done = parts.filter((part) => part !== undefined)
  const error = done.find((part) => part.error)?.error
  const missing = done.flatMap((part) => part.missing ?? [])
  const difference = error ? null : Math.max(0, ...done.map((part) => part.difference))
  const ok = !error && missing.length === 0 && difference <= tolerance
  const compared = `${done.reduce((sum, part) => sum + part.names.length, 0)} tensors`
  console.log(
    `${ok ? 'ok    ' : 'FAILED'} ${name.padEnd(28)} ${compared.padStart(12)}  ${error ?? `${difference.toExponential(1)} of ${tolerance}`}${missing.length > 0 ? `, missing ${missing.join(', ')}` : ''}`,
  )
  return {
    name,
    modelType,
    compared,
    difference: difference === Infinity ? null : difference,
    tolerance,
    ok,
    ...(error ? { error } : {}),
  }
}

const modelTypeOf = (folder) => JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8')).model_type
const leftDefault = { prefix: 'left_default.', from: 'left.', outputs: /^last_hidden_state$/ }

// The second engine where it is installed; what it was compared with before is kept where it is not.
const { engineStates } = await import('../dist/platform/runtime/index.js')
const second = (await engineStates()).find(({ name, available }) => name === 'openvino' && available)
const before = existsSync('docs/support.json') ? JSON.parse(readFileSync('docs/support.json', 'utf8')) : { models: [] }

/** Every model of a place that has a golden file, on both engines. */
async function compareAll(place, { toleranceOf, measure = (part) => part, known = [] }) {
  const done = []
  for (const name of readdirSync(place)) {
    const folder = join(place, name)
    const golden = join(folder, 'golden.safetensors')
    if (!wanted(name) || !existsSync(golden)) continue
    const onEngine = async (title, flags) => {
      const parts = [
        await compare(folder, golden, { flags }),
        await compare(folder, golden, { prefix: 'left.', flags }),
        await compare(folder, golden, { ...leftDefault, flags }),
      ]
      return row(title, modelTypeOf(folder), toleranceOf(name), parts.map(measure))
    }
    const first = await onEngine(name, [])
    const on = second === undefined ? undefined : await onEngine(`${name} on OpenVINO`, ['--engine', 'openvino'])
    const openvino =
      on === undefined
        ? known.find((model) => model.name === name)?.openvino
        : { version: second.version, difference: on.difference, ok: on.ok }
    done.push({ ...first, ...(openvino === undefined ? {} : { openvino }) })
  }
  return done
}

const models = await compareAll(pico, {
  toleranceOf: (name) => tolerances.get(name) ?? 1e-5,
  known: before.models,
})
const goldens = 'test/model/architectures/golden/families'
const families =
  drawn === undefined
    ? (before.families ?? [])
    : await compareAll(drawn, {
        toleranceOf: (name) =>
          Math.max(1e-5, 6 * JSON.parse(readFileSync(join(goldens, `${name}.json`), 'utf8')).error),
        measure: (part) => part && { ...part, difference: part.relative },
        known: before.families,
      })

// Storage forms: the golden file of the folder, else of the plain model it is a form of.
const variants = []
const plainOf = { bert: 'bert', llama: 'llama', gpt2: 'gpt2', t5: 't5-encoder' }
for (const name of readdirSync(join(pico, 'variants'))) {
  const folder = join(pico, 'variants', name)
  if (!wanted(name) || name === 'SOURCE.md') continue
  const own = join(folder, 'golden.safetensors')
  const golden = existsSync(own) ? own : join(pico, plainOf[name.split('-')[0]], 'golden.safetensors')
  // This form has no head: its logits must be refused, its states must be there.
  const noHead = ['llama-head-missing', 'llama-base-names'].includes(name)
  const outputs = noHead ? { outputs: /^(hidden_states\.\d+|last_hidden_state)$/ } : {}
  const tolerance = name === 'gpt2-hub-layout' ? 3e-5 : name.endsWith('lora') ? 3e-5 : 1e-5
  variants.push(row(`variants/${name}`, '', tolerance, [await compare(folder, golden, outputs)]))
}

for (const name of readdirSync(join(pico, 'sentence-transformers'))) {
  const folder = join(pico, 'sentence-transformers', name)
  if (!wanted(name) || name === 'SOURCE.md') continue
  const { texts, runs } = JSON.parse(readFileSync(join(folder, 'golden.json'), 'utf8'))
  const input = join(scratch, 'texts.jsonl')
  writeFileSync(input, texts.map((text) => `${JSON.stringify({ text })}\n`).join(''))
  const golden = await openTensors(join(folder, 'golden.safetensors'))
  const parts = []
  for (const [run, { prompt, prompt_name: promptName }] of Object.entries(runs)) {
    const out = join(scratch, 'st.safetensors')
    const error = await strata(
      'encode',
      folder,
      input,
      '--out',
      out,
      ...(prompt ? ['--prompt', prompt] : []),
      ...(promptName ? ['--prompt-name', promptName] : []),
    )
    if (error) parts.push({ error, names: [run] })
    else {
      const produced = await openTensors(out)
      const [a, b] = [await readFloat32(produced, 'embeddings'), await readFloat32(golden, run)]
      await produced.close()
      parts.push({
        names: [run],
        missing: [],
        difference:
          a.length === b.length ? a.reduce((most, value, i) => Math.max(most, Math.abs(value - b[i])), 0) : Infinity,
      })
    }
  }
  await golden.close()
  variants.push(row(`sentence-transformers/${name}`, '', 1e-5, parts))
}

const tokenizers = []
const { loadTokenizer } = await import('../dist/model/tokenizer/index.js')
const { openRepo } = await import('../dist/files/hub/index.js')
for (const name of readdirSync(join(pico, 'tokenizers'))) {
  const folder = join(pico, 'tokenizers', name)
  if (!wanted(name) || name === 'SOURCE.md') continue
  const { strings } = JSON.parse(readFileSync(join(folder, 'golden.json'), 'utf8'))
  const tokenizer = await loadTokenizer(await openRepo(folder))
  const encoded = await tokenizer.encodeBatch(strings.map(({ text }) => text))
  const wrong = strings.filter(({ ids }, i) => ids.join() !== [...encoded[i].ids].join()).length
  console.log(
    `${wrong === 0 ? 'ok    ' : 'FAILED'} tokenizers/${name}: ${strings.length - wrong} of ${strings.length} strings`,
  )
  tokenizers.push({
    name: `tokenizers/${name}`,
    compared: `${strings.length} strings`,
    difference: wrong,
    tolerance: 0,
    ok: wrong === 0,
  })
}

rmSync(scratch, { recursive: true, force: true })
// Of what is named on the command line the rows are made anew, the others stay.
const rows = (own, kept = []) => {
  const isKept = new Set(kept.map(({ name }) => name))
  return only.length === 0
    ? own
    : [
        ...kept.map((one) => own.find(({ name }) => name === one.name) ?? one),
        ...own.filter(({ name }) => !isKept.has(name)),
      ]
}
const report = {
  models: rows(models, before.models),
  families: rows(families, before.families),
  variants: rows(variants, before.variants),
  tokenizers: rows(tokenizers, before.tokenizers),
}
writeFileSync('docs/support.json', `${JSON.stringify(report, null, 1)}\n`)
const both = [...models, ...families]
const all = [...both, ...both.flatMap(({ openvino }) => openvino ?? []), ...variants, ...tokenizers]
console.log(`${all.filter(({ ok }) => ok).length} of ${all.length} ok`)
process.exit(all.every(({ ok }) => ok) ? 0 : 1)
