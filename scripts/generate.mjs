// Documents that are made from the tree: docs/architecture.md from the doors, docs/cli.md from the command table, docs/support.md from the family
// table and the recorded comparison in docs/support.json, docs/tasks-support.md from the registry of tasks and the run in docs/tasks-support.json,
// docs/speed.md, its picture and the table in README.md from bench/results, docs/merge-methods.md from the table of methods and oracles/results/merge-parity.json, docs/api and the
// exports in package.json from the public doors, the packages in NOTICE from package-lock.json. `--check` fails when one is stale. Needs the built program (npm run build).
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { doors } from '../.dependency-cruiser.mjs'
import { apiPages } from './api.mjs'
import { lowStates, lowStatesPicture } from './low-states-picture.mjs'
import { notice } from './notice.mjs'
import { growthPicture } from './speed-picture.mjs'
import {
  allPrograms,
  besideTheFastest,
  growth,
  longTexts,
  mergeCosts,
  modelSizes,
  regressionTimes,
  staticRates,
  typeCosts,
} from './speed-tables.mjs'

const check = process.argv.includes('--check')
const documents = {
  'docs/architecture.md': await architecture(),
  'docs/cli.md': await commandLine(),
  'docs/support.md': await support(),
  'docs/tasks-support.md': await tasksSupport(),
  'docs/merge-methods.md': await mergeTable(),
  'docs/speed.md': speed(),
  'docs/speed.svg': await growthPicture(),
  'docs/low-states.svg': await lowStatesPicture(),
  'docs/precision.md': precision(),
  'README.md': readme(),
  NOTICE: notice(),
  'package.json': exported(),
  ...(await apiPages()),
}
let stale = 0
for (const name of existsSync('docs/api') ? readdirSync('docs/api') : []) {
  if (`docs/api/${name}` in documents) continue
  if (check) {
    console.error(`docs/api/${name} belongs to no door: run npm run generate`)
    stale++
  } else rmSync(`docs/api/${name}`)
}
for (const [path, text] of Object.entries(documents)) {
  if (text === undefined || (existsSync(path) && readFileSync(path, 'utf8') === text)) continue
  if (check) {
    console.error(`${path} is stale: run npm run generate`)
    stale++
  } else {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    console.log(`wrote ${path}`)
  }
}
process.exitCode = stale === 0 ? 0 : 1

async function architecture() {
  const { rooms, wings } = await import('../.dependency-cruiser.mjs')
  const inWing = (wing) => Object.keys(rooms).filter((room) => room === wing || room.startsWith(`${wing}/`))
  const short = (room) => room.split('/').at(-1)
  const table = Object.entries(wings).map(
    ([wing, seen]) =>
      `| \`${wing}\` | ${
        inWing(wing).length < 2
          ? '–'
          : inWing(wing)
              .map((room) => `\`${short(room)}\``)
              .join(' · ')
      } | ${seen.join(', ') || 'nothing'} |`,
  )
  const section = (room, level) => {
    const imports = ['core', ...rooms[room]].filter((name) => name !== room)
    return `${level} ${room}\n\n${header(join('src', room, room === 'cli' ? 'main.ts' : 'index.ts')).replace(new RegExp(`^${short(room)}: `), '')}\n\nMay import: ${room === 'core' ? 'nothing' : imports.join(', ')}.\n`
  }
  const sections = Object.keys(wings).map((wing) =>
    inWing(wing).length < 2
      ? section(wing, '##')
      : `## ${wing}\n\n${inWing(wing)
          .map((room) => section(room, '###'))
          .join('\n')}`,
  )
  return `<!-- made by scripts/generate.mjs from .dependency-cruiser.mjs and the doors of the rooms; do not edit -->
# Architecture

A **model**, seen through a **representation**, is asked a **task** and gives a **result**. The source tree follows this sentence: a wing is a folder of \`src/\`, a room is a folder in a wing.
A room has one door, \`index.ts\`, and is imported by its name: \`#platform/disk\`. \`.dependency-cruiser.mjs\` lists the permitted imports, and \`npm test\` enforces them.

\`\`\`
 core ──► platform ──► files ──┬──► model ──► representation ──┐
 (words)  (any numeric         │                               ├──► experiment ──► cli
          program)             ├──► task ──────────────────────┤
                               └──► result ────────────────────┘        read ──► as "is imported by"; each wing also sees those further left
\`\`\`

\`task\` and \`result\` do not know models: they see \`Embedder\`, \`SequenceClassifier\`, \`LanguageModel\` and \`Result\`, which \`core\` defines.

| wing | rooms | sees |
|---|---|---|
${table.join('\n')}

## The flow

\`\`\`
 reference ─ open ─► hub ─► files ─ formats ─► TensorSource ─┬───────────────────────────┐
                     recipe ─ merge, transplant, adapters ─► TensorSource (unwritten) ───┤       write ─► a folder others can load
                     config.json ─ architectures ─► ModelSpec ─┴─ graph ─► ONNX ─ runtime ┤
 texts ─ tokenizer ─► batches ─ passes ──────────────────────────────────────────────────┴─► pooled states ─ checkpoint ─► vectors (cached on disk) ─ layers ─► Embedder
 task names ─ registry ─► descriptions ─ rows ─► parts ─ protocols(Embedder) ─► scores ─ sweep ─► Result ─ ledger ─► a folder mteb can read ─ statistics ─► means, intervals
\`\`\`

A merge is a model: what \`write\` puts in a folder, \`sweep\` scores without one.

## The public doors

What users import is a list of names in \`src/doors\`, one file per subpath of the package, out of these rooms ([every name](api/README.md)):

| import from | rooms |
|---|---|
${Object.entries(doors)
  .map(([door, opened]) => `| [\`strata-lm/${door}\`](api/${door}.md) | ${opened.join(', ')} |`)
  .join('\n')}

${sections.join('\n')}`
}

/** The header comment of a door, as text. */
function header(path) {
  const match = /\/\*\*([\s\S]*?)\*\//.exec(readFileSync(path, 'utf8'))
  return (match?.[1] ?? '')
    .split('\n')
    .map((line) => line.replace(/^\s*\*? ?/, '').trimEnd())
    .join('\n')
    .trim()
}

async function commandLine() {
  const { commands } = await import('../dist/cli/commands.js')
  const { groups } = await import('../dist/cli/spec/command.js')
  const section = async ({ words, loadFlags }) => {
    const flags = await loadFlags()
    const rows = flags.map(
      ({ flags: notation, help, choices, fallback }) =>
        `| \`${notation.replaceAll('|', '\\|')}\` | ${help}${choices ? ` (${choices.join(', ')})` : ''}${fallback === undefined ? '' : ` – default ${fallback}`} |`,
    )
    const args = words.args.map(([arg, help]) => `- \`${arg}\` ${help}`)
    return `### strata ${words.name}\n\n${words.summary}\n\n${args.join('\n')}\n\n\`\`\`\n${words.examples.join('\n')}\n\`\`\`\n\n| flag | |\n|---|---|\n${rows.join('\n')}\n`
  }
  const chapters = []
  for (const [group, title] of Object.entries(groups)) {
    const sections = await Promise.all(commands.filter(({ words }) => words.group === group).map(section))
    chapters.push(`## ${title}\n\n${sections.join('\n')}`)
  }
  return `<!-- made by scripts/generate.mjs from the command table; do not edit -->
# Command line

Exit codes: 0 success, 1 something failed (a failed result is stored with its reason), 2 a wrong flag or name. An unknown flag is refused, with the nearest known name.

${chapters.join('\n')}`
}

async function support() {
  const { families, refusedTypes, specOf } = await import('../dist/model/architectures/index.js')
  const recorded = existsSync('docs/support.json')
    ? JSON.parse(readFileSync('docs/support.json', 'utf8'))
    : { models: [], families: [], variants: [], tokenizers: [] }
  const goldens = 'test/model/architectures/golden/families'
  // The family that opens a drawn checkpoint: of a model of several towers that of its text part.
  const titles = new Map(
    readdirSync(goldens).map((file) => {
      const { name, config } = JSON.parse(readFileSync(join(goldens, file), 'utf8'))
      return [name, specOf(config, { place: name }).title]
    }),
  )
  const cases = (family) => [
    ...recorded.models.filter((model) => family.modelTypes.includes(model.modelType)),
    ...(recorded.families ?? []).filter(({ name }) => titles.get(name) === family.title),
  ]
  const drawn = (family) => [...titles.values()].filter((title) => title === family.title).length
  const { types } = JSON.parse(readFileSync('test/model/architectures/golden/text-types.json', 'utf8'))
  const refused = types.filter((type) => refusedTypes.has(type))
  const number = (value) => (value === null ? '–' : value.toExponential(1))
  const rows = Object.values(families).map((family) => {
    const found = cases(family)
    const shareOf = (models, differenceOf) =>
      models.length === 0
        ? '–'
        : `${Math.round(Math.max(...models.map((model) => differenceOf(model) / model.tolerance)) * 100)} %`
    const onSecond = found.filter(({ openvino }) => openvino !== undefined)
    const second =
      onSecond.length === 0
        ? 'not compared'
        : `${onSecond.every(({ openvino }) => openvino.ok) ? '✓' : '✗'} ${shareOf(onSecond, ({ openvino }) => openvino.difference)}`
    const isDrawn = found.length === 0 && drawn(family) > 0
    const state = isDrawn
      ? 'tested'
      : found.length === 0
        ? 'not compared'
        : found.every((model) => model.ok)
          ? '✓'
          : '✗'
    return `| ${family.title ?? ''} | ${family.modelTypes.map((type) => `\`${type}\``).join(' ')} | ${state} | ${isDrawn ? drawn(family) : found.length} | ${isDrawn ? '≤ 100 %' : shareOf(found, ({ difference }) => difference)} | ${second} | ${(family.notes ?? '').replaceAll('|', '\\|')} |`
  })
  const detail = (title, list) =>
    `## ${title}\n\n| case | compared | largest difference | tolerance | |\n|---|---|---|---|---|\n${list.map((one) => `| ${one.name} | ${one.compared} | ${number(one.difference)} | ${number(one.tolerance)} | ${one.ok ? '✓' : '✗'} |`).join('\n')}\n`
  return `<!-- made by scripts/generate.mjs from the family table and docs/support.json (scripts/support.mjs records it); do not edit -->
# Model families

For one seeded model per architecture, every hidden state, the last state, the pooler and the logits are compared with the reference implementation's float64 values,
at the real tokens, right- and left-padded, through \`strata encode --input-ids\`; families marked "tested" have checkpoints with drawn weights, which a test compares within the same bounds, relative to the greatest value. Tolerances are those of the golden files: six times the reference's own float32 error, at least 1e-5.

Strata follows transformers 5 (5.24.0), also where 4.57 gave other numbers. A notice says so for a file that is ambiguous:

- a head that is stored and differs from the token table that \`tie_word_embeddings\` ties it to counts; one that repeats the table is not loaded twice;
- \`rope_theta\` inside \`rope_scaling\` or \`rope_parameters\` counts before the one outside, \`rope_type\` before \`type\`, \`rope_scaling\` before \`rope_parameters\`, \`original_max_position_embeddings\` outside before the one inside;
- \`hidden_act: gelu\` of Gemma means its tanh approximation;
- the last of ModernBERT's \`hidden_states\` is normed, and mT5 does not scale states in front of its head.

A config of several towers (\`text_config\` and the like) opens by the part that reads text; the other towers are reported as unused.

Weights stored as codes and scales are read as the numbers they stand for, one tensor at a time: FP8 (per tensor, row or block), GPTQ, AWQ (gemm), bitsandbytes (int8, nf4, fp4), compressed-tensors and MXFP4. Activations are not quantised, and merges of such models write plain weights.
A GGUF file is a model by itself – config, tokenizer and weights: \`./model.Q4_K_M.gguf\`, or \`org/name/model.Q8_0.gguf\` where a repository has several (llama, qwen2, qwen3, gemma2, gemma3, phi3, bert). Other methods, and whatever else a file says that is not read, are refused by name.

Adapters follow PEFT 0.21, live and not merged: an adapter that changes only the head or only the token table parts the two.

| family | model types | | models compared | largest difference, relative to the tolerance | [OpenVINO](engines.md) | notes |
|---|---|---|---|---|---|---|
${rows.join('\n')}

## Model types that do not open

transformers 5.24.0 has ${types.length} model types with a head that reads text: causal, masked or for classes of sequences. ${types.length - refused.length} of them open; these do not, and are refused with the reason:

| model type | why |
|---|---|
${refused.map((type) => `| \`${type}\` | ${refusedTypes.get(type)} |`).join('\n')}

${detail('Models', recorded.models)}
${detail('Drawn models, differences relative to the greatest value of an output', recorded.families ?? [])}
${detail('Storage forms, adapters, sentence-transformers folders', recorded.variants)}
${detail('Tokenizers', recorded.tokenizers)}`
}

async function tasksSupport() {
  const { findTasks, allBenchmarks } = await import('../dist/task/registry/index.js')
  const { tasks } = await findTasks(['*'], { runnable: false })
  const run = existsSync('docs/tasks-support.json')
    ? JSON.parse(readFileSync('docs/tasks-support.json', 'utf8'))
    : { model: '', tasks: {} }
  const status = ({ name, unsupported }) => {
    const shown = run.tasks[name]
    if (unsupported !== undefined) return `no: ${unsupported.replaceAll('|', '\\|')}`
    if (shown === undefined) return 'yes'
    return `yes, shown: ${(100 * shown.score).toFixed(2)}${shown.parts < shown.of ? ` on ${shown.parts} of ${shown.of} parts` : ''}`
  }
  const runnable = new Set(tasks.flatMap(({ name, unsupported }) => (unsupported === undefined ? [name] : [])))
  const types = [...new Set(tasks.map(({ type }) => type))]
  const count = (list) => `${list.filter(({ name }) => runnable.has(name)).length} of ${list.length}`
  const overview = types.map((type) => {
    const own = tasks.filter((task) => task.type === type)
    return `| ${type} | ${count(own)} | ${own.filter(({ name }) => run.tasks[name]).length} |`
  })
  const benchmarks = (await allBenchmarks()).map(
    ({ name, tasks: members }) =>
      `| ${name} | ${[...members.keys()].filter((task) => runnable.has(task)).length} of ${members.size} |`,
  )
  const sections = types.map((type) => {
    const rows = tasks.filter((task) => task.type === type).map((task) => `| ${task.name} | ${status(task)} |`)
    return `## ${type}\n\n| task | can be run |\n|---|---|\n${rows.join('\n')}\n`
  })
  return `<!-- made by scripts/generate.mjs from the registry of tasks and docs/tasks-support.json (scripts/tasks-support.mjs records it); do not edit -->
# Supported tasks

${count(tasks)} tasks can be run: the text tasks of mteb 2.26, and tasks for classifiers. *Shown* means that the task was run end to end on real data with ${run.model || 'a static model'}; the figure is its mean main score × 100
(from a small static model: it shows that the task runs, not how good a score can be).

| type | can be run | shown |
|---|---|---|
${overview.join('\n')}

| benchmark | tasks that can be run |
|---|---|
${benchmarks.join('\n')}

${sections.join('\n')}`
}

/** package.json with an entry for every public door. */
function exported() {
  const entry = (path) => `{ "types": "./dist/${path}.d.ts", "default": "./lib/${path}.js" }`
  const lines = [
    `".": ${entry('index')}`,
    ...Object.keys(doors).map((door) => `"./${door}": ${entry(`doors/${door}`)}`),
    '"./package.json": "./package.json"',
  ]
  return readFileSync('package.json', 'utf8').replace(
    /"exports": \{[\s\S]*?\n {2}\}/,
    `"exports": {\n    ${lines.join(',\n    ')}\n  }`,
  )
}

/** README.md with its speed table made from bench/results: a row without a measurement cannot stand there. */
function readme() {
  const text = readFileSync('README.md', 'utf8')
  const [begin, end] = ['<!-- speed: made by scripts/generate.mjs from bench/results -->\n', '<!-- /speed -->']
  const from = text.indexOf(begin)
  const to = text.indexOf(end)
  return from < 0 || to < 0 ? text : `${text.slice(0, from + begin.length)}\n${besideTheFastest()}\n\n${text.slice(to)}`
}

function speed() {
  return `<!-- made by scripts/generate.mjs from bench/results; do not edit -->
# Speed

Wall time and peak memory of whole processes, run in turn on one machine with two cores. Ratios within a bench are reliable; seconds depend on that machine and hour. Definitions and commands:
[bench/](../bench). A bench that was not run has no row.

${[allPrograms(), modelSizes(), staticRates(), growth(), lowStates(), longTexts(), regressionTimes(), mergeCosts()].filter((part) => part !== '').join('\n\n')}`
}

function precision() {
  return `<!-- made by scripts/generate.mjs from bench/results/precision.json; do not edit -->
# Number types and scores

\`--dtype\` chooses the type of the products; states and vectors are always float32. A type that the engine or the processor lacks is refused, never replaced ([engines](engines.md)); its results are stored next to the
others, as \`default+int8\`. The tables show main scores × 100 in float32, and the change caused by another type:

${typeCosts()}
To repeat this with the types of your machine: \`node bench/run.mjs precision\` (models and tasks: \`--models NAME=FOLDER,… --tasks A,B --hub FOLDER\`). For a single model:

\`\`\`
strata evaluate MODEL --tasks STSBenchmark,SciFact                  # default
strata evaluate MODEL --tasks STSBenchmark,SciFact --dtype int8     # default+int8
strata results
\`\`\`
`
}

async function mergeTable() {
  const { mergeMethods } = await import('../dist/model/merge-methods/index.js')
  const recorded = existsSync('oracles/results/merge-parity.json')
    ? JSON.parse(readFileSync('oracles/results/merge-parity.json', 'utf8'))
    : { releases: [], vectors: {}, cases: [] }
  const bases = { required: 'needed', optional: 'optional', input: 'an input', none: 'none' }
  const parameters = (specs) =>
    Object.entries(specs)
      .map(
        ([name, { scope, fallback }]) =>
          `${name}${scope === 'model' ? 'ᵐ' : ''}${fallback === undefined ? '' : ` ${fallback === null ? '–' : fallback}`}`,
      )
      .join(', ')
  const vectors = (name) =>
    Object.entries(recorded.vectors[name] ?? {})
      .map(([status, count]) => `${count} ${status}`)
      .join(', ') || '–'
  const inMergekit = new Set(recorded.cases.map(({ method }) => method))
  const profiles = (name, paper) =>
    ['exact', ...(inMergekit.has(name) ? ['mergekit-0.1.4'] : []), ...(paper === undefined ? [] : ['paper'])].join(', ')
  const rows = Object.entries(mergeMethods).map(
    ([name, { reference, base, parameters: specs, streaming, paper }]) =>
      `| [\`${name}\`](${reference}) | ${bases[base]} | ${parameters(specs).replaceAll('|', '\\|')} | ${streaming} | ${vectors(name)} | ${profiles(name, paper)} |`,
  )
  const said = Object.entries(mergeMethods).flatMap(([name, { deviations = [], paper }]) => [
    ...deviations.map((sentence) => `| \`${name}\` | ${sentence} |`),
    ...(paper === undefined ? [] : [`| \`${name}\` | \`paper\`: ${paper} |`]),
  ])
  const compared = recorded.cases.filter(({ status }) => !status.startsWith('refused'))
  const refused = recorded.cases.filter(({ status }) => status.startsWith('refused'))
  const names = Object.keys(mergeMethods).filter((name) => compared.some(({ method }) => method === name))
  const cell = (list, figure) => {
    if (list.length === 0) return '–'
    const agree = list.filter(({ status }) => status === 'agrees').length
    const border = list.reduce((sum, { onBorder }) => sum + onBorder, 0)
    const rounded = list.filter(({ status }) => status === 'rounded there').length
    const same = list.filter(({ status }) => status !== 'rounded there')
    const parts = [
      `${agree} of ${list.length}`,
      ...(same.length > 0 ? [figure(same)] : []),
      ...(border > 0 ? [`${border} on a border`] : []),
    ]
    return `${parts.join(', ')}${rounded > 0 ? `; ${rounded} rounded there` : ''}`
  }
  const worst = (list) => Math.max(...list.map((one) => one.worst)).toExponential(1)
  const units = (list) => `${Math.max(...list.map((one) => one.units)).toFixed(1)} units`
  const parity = names.flatMap((name) =>
    recorded.releases.map((release) => {
      const own = compared.filter((one) => one.method === name && one.release === release)
      const wide = own.filter(({ dtype }) => dtype === 'f32')
      const rounded = own.filter(({ dtype, narrow }) => dtype !== 'f32' && !narrow)
      const narrow = own.filter((one) => one.narrow)
      return `| ${name} | ${release} | ${cell(wide, worst)} | ${cell(rounded, units)} | ${cell(narrow, units)} |`
    }),
  )
  const problems = compared.filter(
    ({ status, problems }) => status === 'differs' || (status === 'agrees' && problems.length > 0),
  )
  const line = ({ release, method, id, status, problems: found }) =>
    `| ${release} | ${method} | ${id} | ${status} | ${found.join(' · ').slice(0, 220).replaceAll('|', '\\|')} |`
  return `<!-- made by scripts/generate.mjs from the table of methods and oracles/results/merge-parity.json; do not edit -->
# Merge methods

Streaming: *elementwise* methods read the inputs once; *reduction* and *selection* methods first read a tensor for its sums or its thresholds; *whole* methods need a matrix in memory.
ᵐ: one value per input. Vectors: \`agree\` must match, \`recommended\` is the correct result where mergekit 0.1.4 is wrong, \`legacy-only\` reproduces its defects under its profile.
Profiles: \`exact\` for all; \`mergekit-0.1.4\` rounds every step to the stored type like that release; \`paper\` follows the paper where it defines the method differently.

| method | base | parameters and defaults | streaming | vectors | profiles |
|---|---|---|---|---|---|
${rows.join('\n')}

## Intentional differences

| method | |
|---|---|
${said.join('\n')}

## Against real mergekit

Release 0.1.5 against \`exact\`, 0.1.4 against \`mergekit-0.1.4\` (\`node bench/run.mjs merge-parity\`): cases that agree within the method's tolerance, and the largest difference among
them – absolute for float32; in units of the last place of the largest operand for 16-bit outputs (one unit allowed, linear two). The second column of figures covers 16-bit files
with \`dtype: float32\`, the last one the same files without it: most methods of 0.1.5 then round every step to 16 bits, while \`exact\` rounds once. *Rounded there* counts cases in which this is the only
difference: with \`dtype: float32\` the same recipe agrees, and \`exact\` writes the same bits with and without. An element on the border of a selection has equals, and mergekit's sort leaves open
which of them is kept. Both releases append tokens of a union in the order of hash tables; rows are compared by token.

| method | release | float32 | 16 bits, float32 arithmetic | 16 bits throughout |
|---|---|---|---|---|
${parity.join('\n')}

### Differences

| release | method | case | tensors | |
|---|---|---|---|---|
${problems.map(line).join('\n')}

### Refused by one side

| release | method | case | by | |
|---|---|---|---|---|
${refused.map(line).join('\n')}
`
}
