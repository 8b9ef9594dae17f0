/**
 * From nothing to the first vector: whole processes that encode one sentence, and the memory they take.
 *
 *   node bench/run.mjs first-vector [--rounds 5]
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { contest, median, runOnce, type Contestant } from './lib/contest.ts'
import { flag } from './lib/flags.ts'
import { model, peers, program, python, scratchFolder } from './lib/places.ts'
import { machine, table, writeResult } from './lib/report.ts'

const rounds = Number(flag('rounds', '5'))
const facts = await machine()
const sentence = 'How do I locate my card?'
const folder = scratchFolder('first-vector')
const [texts, lines] = [join(folder, 'texts.json'), join(folder, 'texts.txt')]
writeFileSync(texts, JSON.stringify({ one: [sentence] }))
writeFileSync(lines, `${sentence}\n`)
const onnxFolder = join(scratchFolder('onnx'), 'all-MiniLM-L6-v2')

const encodePython = (name: string, backend: string): Contestant => ({
  name,
  command: python,
  args: [
    join(peers, 'python', 'encode.py'),
    '--model',
    model,
    '--texts',
    texts,
    '--backend',
    backend,
    '--onnx-folder',
    onnxFolder,
  ],
})
const contestants: Contestant[] = [
  {
    name: 'strata encode (program)',
    command: process.execPath,
    args: [
      program,
      'encode',
      model,
      lines,
      '--out',
      join(folder, 'out.npy'),
      '--cache-dir',
      join(folder, 'cache'),
      '--quiet',
    ],
    fresh: [join(folder, 'cache'), join(folder, 'out.npy')],
  },
  {
    name: 'strata (library)',
    command: process.execPath,
    args: [join(import.meta.dirname, 'strata-encode.js'), '--model', model, '--texts', texts],
  },
  encodePython('sentence-transformers, PyTorch', 'torch'),
  encodePython('sentence-transformers, ONNX', 'onnx'),
  {
    name: 'transformers.js',
    command: process.execPath,
    args: [join(peers, 'transformersjs', 'encode.mjs'), '--model', onnxFolder, '--texts', texts],
  },
]
// Once unmeasured: files into the page cache, Python's compiled modules, the exported ONNX file.
for (const contestant of contestants) await runOnce(contestant)
const turns = await contest(contestants, rounds, () => undefined)
const programs = Object.entries(turns).map(([name, list]) => ({
  name,
  wallSeconds: median(list.map(({ wallSeconds }) => wallSeconds)),
  peakMiB: median(list.map(({ peakMiB }) => peakMiB)),
  allWallSeconds: list.map(({ wallSeconds }) => wallSeconds),
}))
console.log(
  table([
    ['program', 'wall s', 'MiB'],
    ...programs.map(({ name, wallSeconds, peakMiB }) => [name, wallSeconds, peakMiB]),
  ]),
)
writeResult('first-vector', { machine: facts, rounds, programs })
