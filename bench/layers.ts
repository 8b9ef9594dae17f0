/**
 * What all layers cost: every layer of the model on three tasks against its default vectors alone, and the same sweep
 * as it is done in Python.
 *
 *   node bench/run.mjs layers [--rounds 3] [--python 0|1] [--tasks A,B]
 *
 * Whole processes of the program, with nothing cached, results written; Python's turn comes once at the end, since it
 * takes many times as long.
 */
import { join } from 'node:path'
import { contest, median, runOnce, type Contestant } from './lib/contest.ts'
import { flag } from './lib/flags.ts'
import { carried, model, modelName, peers, program, python, scratchFolder, shared, sharedHub } from './lib/places.ts'
import { machine, table, writeResult } from './lib/report.ts'

const rounds = Number(flag('rounds', '3'))
const withPython = flag('python', '1') === '1'
const facts = await machine()

/** One STS, one classification, one retrieval task; with shared data those of the reference scores. */
const chosen =
  shared === undefined
    ? { tasks: 'STS17,Banking77Classification,XQuADRetrieval', subsets: 'en-en,default,en', hub: carried }
    : { tasks: flag('tasks', 'STSBenchmark,Banking77Classification,SciFact'), subsets: '', hub: sharedHub() }

const strata = (name: string, command: string): Contestant => {
  const fresh = [
    join(scratchFolder('sweep'), command, 'results'),
    join(scratchFolder('sweep'), command, 'cache'),
  ] as const
  return {
    name,
    command: process.execPath,
    args: [
      program,
      command,
      modelName,
      '--tasks',
      chosen.tasks,
      ...(chosen.subsets === '' ? [] : ['--subsets', chosen.subsets]),
      '--results',
      fresh[0],
      '--cache-dir',
      fresh[1],
      '--json',
      '--quiet',
    ],
    env: { HF_HUB_CACHE: chosen.hub, HF_HUB_OFFLINE: '1' },
    fresh,
  }
}

const turns = await contest(
  [strata('strata layers (7 states and default)', 'layers'), strata('strata evaluate (default alone)', 'evaluate')],
  rounds,
  (name, round, turn) => {
    console.log(`round ${round + 1}  ${name}: ${turn.wallSeconds.toFixed(1)} s`)
  },
)
const programs = Object.entries(turns).map(([name, list]) => ({
  name,
  wallSeconds: median(list.map(({ wallSeconds }) => wallSeconds)),
  peakMiB: median(list.map(({ peakMiB }) => peakMiB)),
  allWallSeconds: list.map(({ wallSeconds }) => wallSeconds),
}))
const [all, last] = programs.map(({ wallSeconds }) => wallSeconds)
const ratio = (all ?? NaN) / (last ?? NaN)

if (withPython) {
  const turn = await runOnce({
    name: 'transformers + mteb',
    command: python,
    args: [
      join(peers, 'python', 'sweep.py'),
      '--model',
      model,
      '--tasks',
      chosen.tasks,
      '--subsets',
      chosen.subsets,
      '--hub',
      chosen.hub,
    ],
    env: { HF_HOME: scratchFolder('python-home') },
  })
  programs.push({
    name: 'transformers + mteb, layer by layer',
    wallSeconds: turn.wallSeconds,
    peakMiB: turn.peakMiB,
    allWallSeconds: [turn.wallSeconds],
  })
}
const sweepRatio = withPython ? (programs.at(-1)?.wallSeconds ?? NaN) / (all ?? NaN) : undefined

console.log(
  `\n${table([['program', 'wall s', 'MiB'], ...programs.map(({ name, wallSeconds, peakMiB }) => [name, wallSeconds, peakMiB])])}`,
)
console.log(
  `\nall states cost ${ratio.toFixed(2)}× the default alone${sweepRatio === undefined ? '' : `; Python takes ${sweepRatio.toFixed(1)}× as long`}`,
)
writeResult('layers', {
  machine: facts,
  rounds,
  tasks: chosen.tasks,
  programs,
  ratioToDefaultAlone: ratio,
  pythonRatio: sweepRatio,
})
