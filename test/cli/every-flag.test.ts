/**
 * Every flag of every command acts or is refused. A flag acts when what the command asks of its rooms, prints, notes or
 * writes is another with it than without it; it is refused by a fault with a code. The rooms stop where their work
 * begins (watched-rooms.ts): whether they obey is for their own tests.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CommanderError } from 'commander'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { Fault } from '#core'
import { commands } from '../../src/cli/commands.ts'
import { makeProgram } from '../../src/cli/program/program.ts'
import type { Terminal } from '../../src/cli/spec/command.ts'
import { useCarriedHub } from '../carried.ts'
import { writeSmallModel } from '../experiment/encode/small-model.ts'
import { madeFolder } from '../result/report/made-folder.ts'
import { writeRun } from '../experiment/locales/merginguriel.ts'
import { scratchFolder } from '../scratch.ts'
import { everyFlag, withoutEffect } from './every-flag.ts'
import type { Places } from './flag-lines.ts'
import { idle } from './idle-flags.ts'
import { asked, Reached } from './watched-rooms.ts'

vi.mock('#experiment/open', async (load) => {
  const { watched } = await import('./watched-rooms.ts')
  return watched(await load(), {
    noted: ['openModel', 'openMergeFile', 'openTeacher', 'openTransplant', 'openVectors', 'openEmbeddings', 'describe'],
    instead: { openServerModel: undefined, compareWithGolden: () => ({ difference: 0, compared: 1 }) },
  })
})
vi.mock('#experiment/sweep', async (load) => {
  const { nothing, watched } = await import('./watched-rooms.ts')
  return watched(await load(), {
    instead: {
      planSweep: undefined,
      runSweep: nothing,
      taskTexts: undefined,
      drawnPart: () => ({ subset: 's', split: 'validation', texts: ['a'], labels: ['b'], names: ['b'] }),
    },
  })
})
vi.mock('#experiment/aggregate', async (load) => {
  const { aggregation, watched } = await import('./watched-rooms.ts')
  return watched(await load(), {
    noted: ['writeTables'],
    instead: {
      runAggregate: () => ({ failed: [] }),
      writeChosen: () => new Map(),
      aggregateReport: () => aggregation,
      truncate: () => ({ h: 1, of: 1, mean: [1, 1], tasks: [] }),
      writeTables: undefined,
    },
  })
})
vi.mock('#experiment/frontier', async (load) => {
  const { smallVectors, watched } = await import('./watched-rooms.ts')
  return watched(await load(), { noted: ['frontierPoints'], instead: { runFrontier: () => smallVectors } })
})
vi.mock('#experiment/locales', async (load) => {
  const { watched } = await import('./watched-rooms.ts')
  return watched(await load(), {
    noted: ['modelsByLocale', 'makeStudy', 'writeStudy'],
    instead: { writeComparison: () => [] },
  })
})
vi.mock('#experiment/moments', async (load) => {
  const { watched } = await import('./watched-rooms.ts')
  return watched(await load(), { instead: { writeMoments: () => ({ path: 'x', texts: 1, reused: false }) } })
})
vi.mock('#experiment/bench', async (load) => {
  const { measuredSpeed, watched } = await import('./watched-rooms.ts')
  return watched(await load(), { instead: { measureModels: () => measuredSpeed } })
})
vi.mock('#experiment/similarity', async (load) => {
  const { similarity, watched } = await import('./watched-rooms.ts')
  return watched(await load(), { instead: { measureSimilarity: () => similarity, writeSimilarities: undefined } })
})
vi.mock('#experiment/metrics', async (load) => {
  const { metrics, watched } = await import('./watched-rooms.ts')
  return watched(await load(), { instead: { measureMetrics: () => metrics, writeMetrics: undefined } })
})
vi.mock('#experiment/search', async (load) => {
  const { opensTheFirst, watched } = await import('./watched-rooms.ts')
  return watched(await load(), {
    noted: ['openDownloads', 'replay', 'recordedMetrics', 'recordedScores', 'taskContext', 'taskCorpus'],
    instead: { runSearch: opensTheFirst },
  })
})
vi.mock('#experiment/probe', async (load) => {
  const { watched } = await import('./watched-rooms.ts')
  return watched(await load(), {
    instead: {
      planProbe: () => ({ model: 'm', collection: 'c', layers: [], controls: [], dataSets: [] }),
      runProbe: undefined,
    },
  })
})
vi.mock('#experiment/write', async (load) => {
  const { distillation, exported, watched } = await import('./watched-rooms.ts')
  return watched(await load(), {
    noted: ['openExtraction', 'describeMerge'],
    instead: {
      exportModel: () => exported,
      openDistillation: () => distillation,
      writeMerges: undefined,
      writeExtraction: undefined,
      writeTransplant: undefined,
    },
  })
})
vi.mock('#experiment/encode', async (load) => {
  const { readsTheFirst, watched } = await import('./watched-rooms.ts')
  return watched(await load(), {
    noted: ['readCorpus'],
    instead: { encodeIds: undefined, encodeTexts: readsTheFirst, encodeTextTokens: readsTheFirst },
  })
})
vi.mock('#experiment/run', async (load) => {
  const { watched } = await import('./watched-rooms.ts')
  return watched(await load(), {
    instead: { recordExperiment: () => undefined, runExperiment: undefined, experimentCosts: () => undefined },
  })
})
vi.mock('#experiment/workers', async (load) => {
  const { watched } = await import('./watched-rooms.ts')
  return watched(await load(), {
    noted: ['forgetFailed', 'status'],
    instead: { startWorkers: undefined, submit: undefined, cancel: undefined },
  })
})
vi.mock('#experiment/ask', async (load) => {
  const { asksTheFirst, watched } = await import('./watched-rooms.ts')
  return watched(await load(), {
    noted: ['openTasks', 'openTaskIndex', 'openRecordedModel'],
    instead: { runIntoFolder: asksTheFirst },
  })
})
vi.mock('#files/hub', async (load) => {
  const { watched } = await import('./watched-rooms.ts')
  return watched(await load(), { instead: { openPull: undefined, planPush: undefined } })
})
vi.mock('#files/packages', async (load) => {
  const { watched } = await import('./watched-rooms.ts')
  return watched(await load(), { instead: { installOpenVino: undefined, installHarness: undefined } })
})
vi.mock('#files/tables', async (load) => {
  const { watched } = await import('./watched-rooms.ts')
  return watched(await load(), { noted: ['readTexts', 'askTables'], instead: {} })
})
vi.mock('#model/checkpoint', async (load) => {
  const { watched } = await import('./watched-rooms.ts')
  return watched(await load(), { noted: ['languageModelOf'], instead: {} })
})
vi.mock('#platform/runtime', async (load) => {
  const { watched } = await import('./watched-rooms.ts')
  return watched(await load(), { instead: { estimateGemmPeak: () => 1, measureGemmPeak: () => 1 } })
})
vi.mock('#platform/vectors', async (load) => {
  const { watched } = await import('./watched-rooms.ts')
  return watched(await load(), { noted: ['openStore'], instead: {} })
})
vi.mock('#result/statistics', async (load) => {
  const { watched } = await import('./watched-rooms.ts')
  return watched(await load(), { instead: { compareAll: () => [] } })
})
vi.mock('#result/correlation', async (load) => {
  const { table, watched } = await import('./watched-rooms.ts')
  return watched(await load(), {
    instead: {
      readHarnessFolder: () => table,
      readHolmes: () => table,
      readLedgerScores: () => table,
      correlate: () => ({ cells: [], models: [], onlyX: [], onlyY: [] }),
      writeRankings: undefined,
      winningRates: () => ({ all: [], groups: {}, discriminability: [], dropped: [] }),
    },
  })
})

const { path, file } = scratchFolder()
const places: Places = {
  one: path('one'),
  two: path('two'),
  speaker: join(import.meta.dirname, '..', '..', 'assets', 'models', 'stories260K'),
  task: file(
    'own.yaml',
    'name: Own\ntype: STS\nlanguages: [eng-Latn]\nsplits: [test]\ndata: { test: pairs.csv, validation: pairs.csv }\n',
  ),
  texts: file('texts.txt', 'a b\nb a\na a\n'),
  recipe: path('ties.yml'),
  experiment: path('experiment.yaml'),
  probes: path('probes'),
  harness: path('harness'),
  scores: path('scores.jsonl'),
  ids: path('ids.safetensors'),
  results: path('made'),
  locales: path('locales'),
  scratch: path('scratch'),
}
const undo = useCarriedHub()
afterAll(undo)

beforeAll(async () => {
  file('pairs.csv', 'sentence1,sentence2,score\na b,b a,1\na,b,2\nb b,a,3\n')
  await writeSmallModel(places.one)
  await writeSmallModel(places.two)
  await madeFolder(places.results)
  for (const type of ['baseline', 'average'])
    writeRun(join(places.locales, `${type}_sq-AL`), { accuracy: 0.5, locale: 'sq-AL' })
  for (const locale of ['sq-AL', 'cy-GB', 'ja-JP'])
    mkdirSync(join(places.locales, 'models', locale), { recursive: true })
  file(
    'ties.yml',
    `merge_method: linear\nmodels:\n- { model: ${places.one}, parameters: { weight: 1 } }\n- { model: ${places.two}, parameters: { weight: 1 } }\ndtype: float32\n`,
  )
  file('experiment.yaml', `models: ${places.one}\ntasks: STSBenchmark\n`)
  for (const folder of [places.probes, places.harness, places.scratch]) mkdirSync(folder)
  writeFileSync(join(places.probes, 'order.txt'), 'b a\na b\n'.repeat(40))
  writeFileSync(join(places.harness, 'rows.jsonl'), '{"question":"q","options":["a","b"],"label":0}\n')
  writeFileSync(
    join(places.harness, 'toy.yaml'),
    `task: toy_choose\ntag: toy\ndataset_path: json\ndataset_kwargs: { data_files: ${join(places.harness, 'rows.jsonl')} }\ntest_split: train\noutput_type: multiple_choice\ndoc_to_text: question\ndoc_to_choice: options\ndoc_to_target: label\n`,
  )
  const rows = ['step1', 'step2', 'main'].flatMap((revision, k) =>
    [0, 1].map((layer) => ({
      family: 'P',
      size: '1m',
      revision,
      layer,
      task: 'A',
      split: 'test',
      main_score: { de: layer / 3 + k / 10, nl: layer / 4 },
    })),
  )
  file('scores.jsonl', rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  file('ids.safetensors', '')
})

beforeEach(() => {
  asked.length = 0
})

/** All that can be seen of a command: what it asks of rooms, prints and notes, how it ends. */
async function seen(words: readonly string[]): Promise<string> {
  asked.length = 0
  const lines: string[] = []
  const { signal } = new AbortController()
  const terminal: Terminal = {
    print: (line) => void lines.push(`print ${line}`),
    write: (text) => void lines.push(`write ${text}`),
    note: (line) => void lines.push(`note ${line}`),
    progress: () => undefined,
    signal,
    interruptible: async (work) => work(signal),
  }
  const program = await makeProgram(commands, words, async ({ run }, args, flags, notes) => {
    lines.push(...notes)
    try {
      lines.push(`exit ${await run(args, flags, terminal)}`)
    } catch (error) {
      if (error instanceof Fault) lines.push(`${error.code} ${error.message}`)
      else if (!(error instanceof Reached)) throw error
    }
  })
  for (const command of [program, ...program.commands]) command.configureOutput({ writeErr: () => undefined })
  try {
    await program.parseAsync([...words], { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    lines.push(error.message)
  }
  const written = readdirSync(places.scratch, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(svg|png)$/.test(name),
  )
  const all = [
    ...asked,
    ...lines,
    ...written.map((name) => `${name} ${readFileSync(join(places.scratch, name), 'utf8')}`),
  ]
  // speeds and times are no flag's doing
  return all
    .join('\n')
    .replaceAll(/\d+(?:\.\d+)? (?:ms|s|GFLOP\/s|GiB)\b/g, '…')
    .replaceAll(/"tokens_per_second":[\d.]+/g, '')
}

const before = new Map<string, string>()

/** Without the flag; twice the same, or a difference would be no flag's doing. */
async function seenOnce(words: readonly string[]): Promise<string> {
  const key = words.join('\n')
  const known = before.get(key)
  if (known !== undefined) return known
  const first = await seen(words)
  expect(await seen(words)).toBe(first)
  before.set(key, first)
  return first
}

const listed = await Promise.all(commands.map(async ({ words, loadFlags }) => [words.name, await loadFlags()] as const))

describe.each(listed)('strata %s', (name, flags) => {
  const longs = flags.flatMap(({ flags: notation }) => /--[\w-]+/.exec(notation)?.[0] ?? [])
  const tried = longs.filter((long) => !(long in withoutEffect) && !(`${name} ${long}` in withoutEffect))

  test.each(tried)('%s acts or is refused', async (long) => {
    const line = everyFlag(name, long, places)
    if (line === undefined) throw new Error(`every-flag.ts has no line for ${name} ${long}`)
    const without = await seenOnce(line.words)
    const withIt = await seen([...line.words, ...line.flag])
    expect(withIt, `nothing is another with ${line.flag.join(' ')}: ${without.slice(0, 2000)}`).not.toBe(without)
  })
})

test.each(idle(places))('%s is refused where it has no effect: %j', async (flag, words) => {
  expect(await seen(words)).toMatch(new RegExp(`^usage\\.conflict ${flag}: `, 'm'))
})
