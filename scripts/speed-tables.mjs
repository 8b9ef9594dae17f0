// Tables of speed from bench/results: every program that was measured (docs/speed.md), and Strata against the fastest other one (README.md). Without a measurement there is no row.
import { existsSync, readFileSync } from 'node:fs'

/**
 * @typedef {{ name: string, value: number, mebibytes: number, inexact?: boolean }} Program
 * @typedef {{ work: string, unit: 's' | 'tokens/s', programs: Program[] }} Work
 */

/** @param {string} name */
const read = (name) =>
  existsSync(`bench/results/${name}.json`) ? JSON.parse(readFileSync(`bench/results/${name}.json`, 'utf8')) : {}

/** @returns {Work[]} */
function works() {
  const timed = (/** @type {any[]} */ programs = []) =>
    programs.map(({ name, wallSeconds, peakMiB }) => ({ name, value: wallSeconds, mebibytes: peakMiB }))
  const [layers, evaluate, merges] = [read('layers'), read('evaluate'), read('merge-speed')]
  const stages = [
    ['cold', 'empty cache'],
    ['warm', 'vectors cached'],
  ]
  const evaluations = (evaluate.runs ?? []).flatMap((/** @type {any} */ { tasks, programs }) =>
    stages.map(([stage, kept]) => ({
      work: `${tasks.length === 1 ? tasks[0] : `${tasks.length} STS and classification tasks`}, ${kept}`,
      unit: 's',
      programs: programs
        .filter((/** @type {any} */ one) => one.stage === stage)
        .map((/** @type {any} */ { program, wallSeconds, peakMiB }) => ({
          name: program,
          value: wallSeconds,
          mebibytes: peakMiB,
        })),
    })),
  )
  const methods = [...new Set((merges.figures ?? []).map((/** @type {any} */ { method }) => method))].filter(
    (method) => method !== 'copy',
  )
  return [
    {
      work: 'texts → vectors, MiniLM-L6',
      unit: 'tokens/s',
      programs: (read('encode').programs ?? []).map(
        (/** @type {any} */ { name, tokensPerSecond, peakMiB, cosineToStrata }) => ({
          name,
          inexact: cosineToStrata < 0.999999,
          value: tokensPerSecond,
          mebibytes: peakMiB,
        }),
      ),
    },
    { work: 'first vector, whole process', unit: 's', programs: timed(read('first-vector').programs) },
    {
      work: `seven states and default on ${layers.tasks?.replaceAll(',', ', ')}`,
      unit: 's',
      programs: timed(layers.programs),
    },
    {
      work: `all layers, and a frontier of ${read('frontier').points} points, on ${read('frontier').tasks?.replaceAll(',', ', ')}`,
      unit: 's',
      programs: timed(read('frontier').programs),
    },
    {
      work: 'all methods × 3 prices × 4 similarities of combining layers, six tasks, encoding included',
      unit: 's',
      programs: timed(read('aggregate').programs),
    },
    {
      work: 'MiniLM-L6 → static table, 256 dimensions, float32',
      unit: 's',
      programs: timed(read('distil').programs),
    },
    ...evaluations,
    { work: 'best 1,000 of a million vectors, 300 queries', unit: 's', programs: timed(read('search').programs) },
    ...methods.map((method) => ({
      work: `merging two models of 1.1 B, ${method}`,
      unit: /** @type {const} */ ('s'),
      programs: merges.figures
        .filter((/** @type {any} */ one) => one.method === method || one.method === 'copy')
        .map((/** @type {any} */ { program, seconds, peakMiB }) => ({
          name: program === 'cp' ? 'cp, which only copies' : program,
          value: seconds,
          mebibytes: peakMiB,
        })),
    })),
  ].filter(({ programs }) => programs.length > 0)
}

/** @param {number} value @param {Work['unit']} unit */
const shown = (value, unit) =>
  unit === 's' ? `${value.toFixed(1)} s` : `${Math.round(value).toLocaleString('en')} ${unit}`
const memory = (/** @type {number} */ mebibytes) => `${Math.round(mebibytes).toLocaleString('en')} MiB`

export function allPrograms() {
  const rows = works().flatMap(({ work, unit, programs }) =>
    programs.map(
      ({ name, value, mebibytes }) => `| ${work} | ${name} | ${shown(value, unit)} | ${memory(mebibytes)} |`,
    ),
  )
  return ['| work | program | measured | memory |', '|---|---|---|---|', ...rows].join('\n')
}

/** Processor seconds of merges to the bytes that they move, with the limit of each. */
export function mergeCosts() {
  const { costs, limits, threads, parameters, machine } = read('merge-costs')
  if (costs === undefined) return ''
  const rows = costs.map(
    (/** @type {any} */ { method, movedGB, seconds, userSeconds, systemSeconds, GBs, userSecondsPerGB, limit }) =>
      [
        method,
        movedGB.toFixed(1),
        seconds.toFixed(1),
        userSeconds.toFixed(1),
        systemSeconds.toFixed(1),
        GBs.toFixed(2),
        userSecondsPerGB.toFixed(2),
        limit,
      ].join(' | '),
  )
  return `## What merging costs

Pairs of ${parameters} B bfloat16 parameters and, where the method takes one, their base; ${threads} threads, hashes of inputs and output included. Moved: every operand read once, the output
written once. In the same run a copy in memory moved ${limits.memoryGBs.toFixed(1)} GB/s, and ${limits.diskGBs.toFixed(2)} GB/s were written and synced. The limit is the slowest of three: moving the bytes at the
speed of that copy, writing the output at the speed of the disk, the processor seconds divided by the number of threads. Load before ${machine.loadBefore.toFixed(1)}, after
${machine.loadAfter.split(' ')[0]}: other work on the machine makes seconds and GB/s worse, and user seconds slightly.

| method | GB moved | s | user s | system s | GB/s | user s per GB | limit |
|---|---|---|---|---|---|---|---|
${rows.map((/** @type {string} */ row) => `| ${row} |`).join('\n')}
`
}

/** Long texts: attention by blocks of queries against all scores at once. */
export function longTexts() {
  const { rows, machine, loadAfter } = read('long-texts')
  if (rows === undefined) return ''
  const lengths = [...new Set(rows.map((/** @type {any} */ { length }) => length))]
  const of = (/** @type {number} */ length, /** @type {string} */ way) =>
    rows.find((/** @type {any} */ row) => row.length === length && row.way === way)
  const lines = lengths.map((length) => {
    const [blocks, whole] = [of(length, 'blocks'), of(length, 'whole')]
    const cells = [
      blocks.seconds.toFixed(2),
      whole.seconds.toFixed(2),
      `${(whole.seconds / blocks.seconds).toFixed(2)}×`,
    ]
    return `| ${length.toLocaleString('en')} | ${cells.join(' | ')} | ${memory(blocks.peakMiB)} | ${memory(whole.peakMiB)} |`
  })
  return `## Long texts

One batch through an encoder of BERT-base's shape (110 M seeded bfloat16 weights, every state pooled), as a whole process; up to a length of 1,024, a batch contains 1,024 tokens. Longer texts attend by
blocks of queries, so memory grows with their length and not with its square; the vectors have the same bits. Load before ${machine.loadBefore.toFixed(1)}, after ${loadAfter.toFixed(1)}.

| tokens per text | by blocks, s | all at once, s | | by blocks, peak | all at once, peak |
|---|---|---|---|---|---|
${lines.join('\n')}
`
}

/** Larger models against sentence-transformers. */
export function modelSizes() {
  const { runs, machine, loadAfter } = read('sizes')
  if (runs === undefined) return ''
  const lines = runs.map(
    (/** @type {any} */ { model, program, texts, tokens, encodeSeconds, tokensPerSecond, peakMiB, cosineToStrata }) => {
      const own = runs.find((/** @type {any} */ run) => run.model === model && run.program === 'strata')
      const cells = [
        model,
        program,
        `${texts.toLocaleString('en')} (${tokens.toLocaleString('en')} tokens)`,
        encodeSeconds.toFixed(0),
        Math.round(tokensPerSecond).toLocaleString('en'),
      ]
      return `| ${cells.join(' | ')} | ${(encodeSeconds / own.encodeSeconds).toFixed(2)}× | ${memory(peakMiB)} | ${cosineToStrata.toFixed(6)} |`
    },
  )
  return `## Larger models

Seeded checkpoints of BERT-base's shape (110 M) and of Qwen2-0.5B's (0.49 B), bfloat16 weights, mean pooling, on short utterances (MASSIVE, English, then German); each library at its best
batch size. Types that the processor lacks are omitted. Load before ${machine.loadBefore.toFixed(1)}, after ${loadAfter.toFixed(1)}.

| model | program | texts | encoding, s | tokens/s | relative to Strata | peak memory | cosine |
|---|---|---|---|---|---|---|---|
${lines.join('\n')}
`
}

/** How the cost of vectors grows; the picture is `speed-picture.mjs`'s. */
export function growth() {
  const { curves, machine, loadAfter } = read('growth')
  if (curves === undefined) return ''
  const rows = curves.flatMap((/** @type {any} */ { of, model, points }) =>
    points.map((/** @type {any} */ { x, seconds, tokens, peakMiB }) => {
      const rate =
        tokens === undefined
          ? `${Math.round(x / seconds).toLocaleString('en')} texts/s`
          : `${Math.round(tokens / seconds).toLocaleString('en')} tokens/s`
      return `| ${of} | ${model} | ${x.toLocaleString('en')} | ${seconds.toFixed(1)} | ${rate} | ${memory(peakMiB)} |`
    }),
  )
  return `## How it grows

![seconds by number of texts; microseconds per token by length, width and depth](speed.svg)

Texts: whole processes of \`strata encode\`, short utterances from a file to a file. Length, width and layers: encoding in the library, after loading, 65,536 tokens for lengths and 512
texts of 32 tokens for the others. Load before ${machine.loadBefore.toFixed(1)}, after ${loadAfter.toFixed(1)}.

| by | model | | s | | peak memory |
|---|---|---|---|---|---|
${rows.join('\n')}
`
}

/** Static tables against model2vec, and the encoder of one of them. */
export function staticRates() {
  const { tables, encoder, machine, rounds, passes } = read('static')
  if (tables === undefined) return ''
  const rate = (/** @type {number} */ value) => Math.round(value).toLocaleString('en')
  const times = (/** @type {number} */ value) => `${value.toFixed(1)}×`
  const rows = tables.flatMap((/** @type {any} */ { table, sets, peakMiB: [own, theirs] }) =>
    sets.map(
      (/** @type {any} */ { set, strata, model2vec }) =>
        `| ${table} | ${set} | ${rate(strata.later)} | ${rate(model2vec.later)} | ${times(strata.later / model2vec.later)} | ${times(strata.first / model2vec.first)} | ${times(strata.perCpuSecond / model2vec.perCpuSecond)} | ${memory(own)} | ${memory(theirs)} |`,
    ),
  )
  const encoded = encoder.sets.map(
    (/** @type {any} */ { set, later }) => `${set} ${later < 10 ? later.toFixed(1) : rate(later)}`,
  )
  return `## Static tables

The same tables and texts through Strata and model2vec 0.10, each in one process, a set in one call; medians of ${rounds} processes with ${passes} passes each. A process's first pass is slower: the tokens of
each word are asked of the native tokenizer once, and V8 compiles. CPU seconds are those of all threads: model2vec tokenises on both cores, Strata on one; they depend least on what else the machine does. Memory is that of the whole process, library and texts included. Load before ${machine.loadBefore.toFixed(1)}. all-MiniLM-L6-v2 itself, which the third table was
distilled from, encodes ${encoded.join(', ')} texts/s.

| table | texts | Strata texts/s | model2vec texts/s | ratio | first pass | per CPU second | peak memory | model2vec's |
|---|---|---|---|---|---|---|---|---|
${rows.join('\n')}
`
}

/** Logistic regressions against scikit-learn's. */
export function regressionTimes() {
  const { programs, shape, productOnOneThread, machine, loadAfter } = read('regressions')
  if (programs === undefined) return ''
  const cores = machine.cores
  const lines = programs.map(
    (/** @type {any} */ { name, version, seconds, cpuSeconds, iterations, gflops }) =>
      `| ${name}${version === undefined ? '' : ` ${version}`} | ${seconds.toFixed(1)} | ${cpuSeconds.toFixed(1)} | ${iterations} | ${gflops.toFixed(1)} | ${Math.round((100 * gflops) / (cores * productOnOneThread))} % |`,
  )
  return `## Regressions

${shape.fits} logistic regressions of Banking77's shape (${shape.rows} × ${shape.width}, ${shape.classes} classes, float64). The roof is the speed of that matrix product alone, ${productOnOneThread.toFixed(1)} GFLOP/s per core, on all cores. Load before
${machine.loadBefore.toFixed(1)}, after ${loadAfter.toFixed(1)}.

| program | s | processor s | iterations | GFLOP/s | of the roof |
|---|---|---|---|---|---|
${lines.join('\n')}
`
}

/** Change of scores by type. */
export function typeCosts() {
  const { rows, machine } = read('precision')
  if (rows === undefined) return ''
  const models = [...new Set(rows.map((/** @type {any} */ { model }) => model))]
  return models
    .map((model) => {
      const own = rows.filter((/** @type {any} */ row) => row.model === model)
      const exact = own.find(
        (/** @type {any} */ { engine, type }) => engine === 'onnxruntime' && type === 'float32',
      ).scores
      const others = own.filter((/** @type {any} */ { scores }) => scores !== undefined && scores !== exact)
      const head = ['task', 'float32', ...others.map((/** @type {any} */ { engine, type }) => `${type} (${engine})`)]
      const change = (/** @type {number} */ by) => `${by < 0 ? '−' : '+'}${Math.abs(by).toFixed(2)}`
      const lines = Object.entries(exact).map(([task, score]) => [
        task,
        (100 * score).toFixed(2),
        ...others.map((/** @type {any} */ { scores }) => change(100 * (scores[task] - score))),
      ])
      const mean = (/** @type {any} */ { scores }) =>
        Object.keys(exact).reduce((sum, task) => sum + 100 * (scores[task] - exact[task]), 0) /
        Object.keys(exact).length
      const means =
        others.length === 0
          ? []
          : [['**mean**', '', ...others.map((/** @type {any} */ row) => `**${change(mean(row))}**`)]]
      const refused = own
        .filter((/** @type {any} */ { scores }) => scores === undefined)
        .map((/** @type {any} */ { type }) => type)
      const note =
        refused.length === 0
          ? ''
          : `\nOther types are refused (${refused.join(', ')}): vectors are looked up in a table, and no product could be made cheaper.\n`
      return `## ${model}\n\n${[head, head.map(() => '---'), ...lines, ...means].map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n${note}`
    })
    .join('\n')
    .concat(
      `\nRecorded on ${machine.cpu}, ${machine.cores} cores; integer products are exact on every processor, but they are rounded from float32 values whose last bits differ between processors, which changes scores by hundredths, rarely by a tenth.\n`,
    )
}

export function besideTheFastest() {
  const isOurs = (/** @type {Program} */ { name }) => name.startsWith('strata')
  const rows = works().flatMap(({ work, unit, programs }) => {
    const own = programs.find(isOurs)
    // A program that is faster because it computes less exactly is no comparison with float32.
    const others = programs.filter(
      (program) => !isOurs(program) && program.inexact !== true && !program.name.startsWith('cp,'),
    )
    if (own === undefined || others.length === 0) return []
    const better = (/** @type {Program} */ a, /** @type {Program} */ b) =>
      unit === 's' ? a.value - b.value : b.value - a.value
    const best = others.toSorted(better)[0]
    if (best === undefined) return []
    const times = unit === 's' ? best.value / own.value : own.value / best.value
    return [
      `| ${work} | ${shown(own.value, unit)}, ${memory(own.mebibytes)} | ${best.name}: ${shown(best.value, unit)}, ${memory(best.mebibytes)} | ${times.toFixed(1)}× |`,
    ]
  })
  return ['| work | strata | fastest other | |', '|---|---|---|---|', ...rows].join('\n')
}
