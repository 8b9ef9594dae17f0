/**
 * Larger models: seeded checkpoints of BERT-base's (110 M) and of Qwen2-0.5B's shape on 20,000 short texts, Strata and
 * sentence-transformers in turn, each in every type that the processor has.
 *
 *   node bench/run.mjs sizes [--models bert-base,qwen2-0.5b] [--texts 20000] [--only strata,PyTorch]
 *
 * Texts: MASSIVE's English utterances of $STRATA_SHARED, and the German ones after them. Strata computes as it comes;
 * the library at its best batch size of 4 … 32 on 48 of the texts.
 */
import { writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { contest, type Contestant } from './lib/contest.ts'
import { flag } from './lib/flags.ts'
import { bertShape, madeCheckpoint, qwen2Shape } from './lib/made-shapes.ts'
import { atBestBatch, cosine, hasBfloat16 } from './lib/peer-encoders.ts'
import { peers, python, scratchFolder } from './lib/places.ts'
import { machine, readResult, table, writeResult } from './lib/report.ts'
import { engineStates, openModel, typesOf } from './lib/strata.ts'
import { utterances } from './lib/texts.ts'

const shapes = { 'bert-base': () => bertShape({ width: 768, layers: 12 }), 'qwen2-0.5b': qwen2Shape } as const
const names = flag('models', Object.keys(shapes).join()).split(',') as (keyof typeof shapes)[]
const only = flag('only', '').split(',')
const [facts, states] = [await machine(), await engineStates()]
const texts = utterances(Number(flag('texts', '20000')), ['en-US', 'de-DE'])
const input = join(scratchFolder('input'), 'utterances.json')
writeFileSync(input, JSON.stringify({ utterances: texts }))

interface Run {
  readonly model: keyof typeof shapes
  readonly program: string
  readonly texts: number
  readonly tokens: number
  readonly encodeSeconds: number
  readonly tokensPerSecond: number
  readonly wallSeconds: number
  readonly peakMiB: number
  readonly cosineToStrata: number
}
const runs: Run[] = []
for (const name of names) {
  const folder = madeCheckpoint(name, shapes[name]())
  const tokens = await tokensOf(folder)
  const contestants: Contestant[] = []
  for (const contestant of programsOf(folder).filter((one) => only.some((part) => one.name.includes(part))))
    contestants.push(
      contestant.command === python ? await atBestBatch(contestant, { input: `utterances-${name}` }) : contestant,
    )
  const turns = await contest(contestants, 1, (program, _round, { wallSeconds }) =>
    console.log(`${name}  ${program}: ${wallSeconds.toFixed(0)} s`),
  )
  const vectorsOf = (program: string): number[][] =>
    Object.values((turns[program]?.[0]?.report['samples'] ?? {}) as Record<string, number[][]>).flat()
  for (const [program, [turn]] of Object.entries(turns)) {
    if (turn === undefined) continue
    const seconds = Object.values(turn.report['seconds'] as Record<string, number>).reduce((a, b) => a + b, 0)
    const reference = vectorsOf('strata')
    runs.push({
      model: name,
      program,
      texts: texts.length,
      tokens,
      encodeSeconds: seconds,
      tokensPerSecond: tokens / seconds,
      wallSeconds: turn.wallSeconds,
      peakMiB: turn.peakMiB,
      cosineToStrata: Math.min(...vectorsOf(program).map((vector, i) => cosine(vector, reference[i] ?? []))),
    })
  }
}
const [loadAfter] = loadavg()
console.log(
  table([
    ['model', 'program', 'encode s', 'wall s', 'tokens/s', 'MiB', 'cosine'],
    ...runs.map((run) => [
      run.model,
      run.program,
      run.encodeSeconds,
      run.wallSeconds,
      run.tokensPerSecond,
      run.peakMiB,
      run.cosineToStrata,
    ]),
  ]),
)
const before = readResult<{ runs: Run[] }>('sizes')?.runs ?? []
writeResult('sizes', {
  machine: facts,
  loadAfter,
  runs: [...before.filter(({ model }) => !names.includes(model)), ...runs],
})

function programsOf(folder: string): Contestant[] {
  const strata = (name: string, ...flags: string[]): Contestant => ({
    name,
    command: process.execPath,
    args: [
      join(import.meta.dirname, 'strata-encode.js'),
      '--model',
      folder,
      '--texts',
      input,
      '--states',
      'last',
      ...flags,
    ],
  })
  const library = (name: string, backend: string): Contestant => ({
    name,
    command: python,
    args: [join(peers, 'python', 'encode.py'), '--model', folder, '--texts', input, '--backend', backend],
  })
  return [
    strata('strata'),
    ...states
      .filter((state) => typesOf(state).includes('bfloat16'))
      .map(({ name }) => strata(`strata, ${name} bfloat16`, '--engine', name, '--dtype', 'bfloat16')),
    library('sentence-transformers, PyTorch', 'torch'),
    ...(hasBfloat16() ? [library('sentence-transformers, PyTorch bfloat16', 'torch-bf16')] : []),
  ]
}

async function tokensOf(folder: string): Promise<number> {
  const model = await openModel(folder)
  const rows = await model.tokens
    ?.tokenizer()
    .then((tokenizer) => tokenizer.encodeBatch([...texts], { maxLength: model.settings.maxLength }))
  await model.close()
  return (rows ?? []).reduce((sum, { ids }) => sum + ids.length, 0)
}
