/**
 * A model distilled into a static table by Strata and by model2vec, whole processes, in turn: time, peak memory, and the
 * rows compared.
 *
 *   node bench/run.mjs distil [--rounds 1] [--model FOLDER] [--pca-dims 256] [--vocabulary words.txt]
 *   [--vocabulary-quantization 1000] [--no-padding]
 *
 * Both compute in float32 and write float32. model2vec has an environment of its own, bench/.scratch/model2vec-0.10. Rows
 * that tokens share are not compared: which these are is chance to the last place. `--no-padding`: model2vec's words of
 * `--vocabulary` pass the model by themselves as well.
 */
import { join } from 'node:path'
import { contest, median, type Turn } from './lib/contest.ts'
import { flag, has } from './lib/flags.ts'
import { model as usual, peers, program, scratch, scratchFolder } from './lib/places.ts'
import { machine, table, writeResult } from './lib/report.ts'
import { openTensors, readFloat32 } from './lib/strata.ts'

const rounds = Number(flag('rounds', '1'))
const model = flag('model', usual)
const dims = flag('pca-dims', '256')
const optional = ['vocabulary', 'vocabulary-quantization'].flatMap((name) => {
  const value = flag(name, '')
  return value === '' ? [] : [`--${name}`, value]
})
const padding = has('no-padding') ? ['--no-padding'] : []
const isShared = optional.includes('--vocabulary-quantization')
const facts = await machine()
const folder = scratchFolder('distil')
const [ours, theirs] = [join(folder, 'strata'), join(folder, 'model2vec')]
const asked = ['--pca-dims', dims, ...optional]
const turns = await contest(
  [
    {
      name: 'strata',
      command: process.execPath,
      args: [program, 'distill', model, '--out', ours, '--dtype', 'float32', '--json', ...asked],
      fresh: [ours],
    },
    {
      name: 'model2vec',
      command: join(scratch, 'model2vec-0.10', 'bin', 'python'),
      args: [join(peers, 'python', 'distil.py'), '--model', model, '--out', theirs, ...asked, ...padding],
      fresh: [theirs],
    },
  ],
  rounds,
  (name, round, turn) => console.log(`round ${round + 1}  ${name}: ${turn.wallSeconds.toFixed(1)} s`),
)

const reportOf = (list: readonly Turn[]) => list[0]?.report as { tokens?: number; versions?: Record<string, string> }
const programs = Object.entries(turns).map(([name, list]) => {
  const wallSeconds = median(list.map((turn) => turn.wallSeconds))
  const tokens = reportOf(list).tokens ?? NaN
  return {
    name,
    tokens,
    wallSeconds,
    secondsPerThousand: (1000 * wallSeconds) / tokens,
    userSeconds: median(list.map((turn) => turn.userSeconds)),
    peakMiB: median(list.map((turn) => turn.peakMiB)),
    allWallSeconds: list.map((turn) => turn.wallSeconds),
  }
})
const [own, peer] = programs
const ratio = (peer?.wallSeconds ?? NaN) / (own?.wallSeconds ?? NaN)
const difference = isShared ? null : await largestDifference()
console.log(
  `\n${table([
    ['program', 'tokens', 'wall s', 's per 1,000', 'CPU s', 'peak MiB'],
    ...programs.map((one) => [
      one.name,
      one.tokens,
      one.wallSeconds,
      one.secondsPerThousand,
      one.userSeconds,
      one.peakMiB,
    ]),
  ])}\n\nmodel2vec's time / Strata's: ${ratio.toFixed(2)}${difference === null ? '' : `; rows differ by ${difference.toExponential(1)} at most`}`,
)
writeResult('distil', {
  machine: facts,
  versions: reportOf(turns['model2vec'] ?? []).versions,
  rounds,
  asked,
  programs,
  ratio,
  largestDifference: difference,
})

/** ‖ours − theirs‖ / ‖theirs‖ of the worst row. */
async function largestDifference(): Promise<number> {
  const [a, b] = [await rowsOf(ours), await rowsOf(theirs)]
  if (a.shape.join() !== b.shape.join()) throw new Error(`tables of ${a.shape.join(' × ')} and ${b.shape.join(' × ')}`)
  const [rows = 0, width = 0] = a.shape
  let largest = 0
  for (let i = 0; i < rows; i++) {
    let [off, length] = [0, 0]
    for (let k = i * width; k < (i + 1) * width; k++) {
      off += ((a.data[k] ?? NaN) - (b.data[k] ?? NaN)) ** 2
      length += (b.data[k] ?? NaN) ** 2
    }
    // a row of zeros has to be one
    const share = length === 0 ? Math.sign(off) : Math.sqrt(off / length)
    if (!(share <= largest)) largest = share
  }
  return largest
}

async function rowsOf(path: string): Promise<{ shape: readonly number[]; data: Float32Array }> {
  const tensors = await openTensors(join(path, 'model.safetensors'))
  const read = { shape: tensors.info('embeddings')?.shape ?? [], data: await readFloat32(tensors, 'embeddings') }
  await tensors.close()
  return read
}
