/** Flags → the texts for an analysis of a model. */
import { fault } from '#core'
import { type Corpus, readCorpus } from '#experiment/encode'
import { taskTexts } from '#experiment/sweep'
import { openRepo } from '#files/hub'
import { readTexts } from '#files/tables'
import { datasetTexts, type OpenDataset } from '#task/rows'
import { taskOptions, selectTasks } from './choose-tasks.ts'
import type { corpus } from '../flags/corpus.ts'
import type { seed } from '../flags/sampling.ts'
import type { Terminal } from '../spec/command.ts'
import type { FlagValues } from '../spec/flag-values.ts'
import { sweepOptions } from './model-options.ts'

type Source = (typeof corpus)[number]
export type CorpusFlags = FlagValues<typeof seed> & {
  readonly [Name in keyof FlagValues<Source>]: FlagValues<Source>[Name] | undefined
} & Parameters<typeof sweepOptions>[0]

/** Default number of rows of a data set, which may be endless. */
const usualRows = 20_000

/** The texts of `--texts`, `--task` or `--data-set`. Throws `usage.conflict` for none and for several. */
export async function openCorpus(flags: CorpusFlags, terminal: Terminal): Promise<Corpus> {
  const { texts: path, task, dataSet, column, rows: most, seed } = flags
  const given = [path, task, dataSet].filter((one) => one !== undefined)
  if (given.length !== 1)
    throw fault('usage.conflict', {
      place: '--texts, --task, --data-set',
      what: given.length === 0 ? 'no texts are given' : 'only one of these can be given',
      hint: 'give a file of texts, a task or a data set',
    })
  if (dataSet !== undefined) {
    const named = Object.hasOwn(shortNames, dataSet) ? shortNames[dataSet] : undefined
    const corpus = await datasetCorpus(named ?? dataSet, { column, most }, terminal)
    return named === undefined ? corpus : { ...corpus, name: dataSet }
  }
  if (path !== undefined) {
    const name = path === '-' ? 'stdin' : (path.split('/').at(-1) ?? path).replace(/\..*$/, '')
    return readCorpus(name, readTexts(path === '-' ? { kind: 'stdin', column } : { kind: 'file', path, column }), {
      most,
    })
  }
  const [name = '', split] = (task ?? '').split(':')
  if (name.includes(','))
    throw fault('usage.value', {
      place: '--task',
      what: 'one corpus is compared at a time',
      seen: task,
      hint: `give one of them: --task ${name.slice(0, name.indexOf(','))}`,
    })
  const found = await selectTasks({ tasks: [name] }, terminal)
  const texts = taskTexts({
    ...sweepOptions({ ...flags, splits: split === undefined ? undefined : [split] }, terminal),
    ...taskOptions(found),
  })
  return readCorpus(split === undefined ? name : `${name}_${split}`, texts, { most, drawn: { seed } })
}

/** Corpora that the field calls by another name than the hub. */
const shortNames: Readonly<Record<string, string>> = { c4: 'allenai/c4:en:train:text' }

/** `REPO[@revision][:config[:split[:column]]]`; an empty part counts as not given. */
async function datasetCorpus(
  asked: string,
  { column: beside, most = usualRows }: { column: string | undefined; most: number | undefined },
  { signal, progress: onProgress }: Terminal,
): Promise<Corpus> {
  const [repo = '', config, split, column, ...more] = asked.split(':').map((part) => part || undefined)
  const [, path = '', revision] = /^(.*?)(?:@(.+))?$/.exec(repo) ?? []
  if (path === '' || more.length > 0)
    throw fault('usage.value', {
      place: '--data-set',
      what: 'must be the name of a data set',
      seen: asked,
      wanted: 'REPO[@revision][:config[:split[:column]]]',
    })
  const open: OpenDataset = (name, at) => openRepo(name, { type: 'dataset', revision: at, signal, onProgress })
  const { name, batches } = await datasetTexts(open, {
    path,
    revision,
    config,
    split,
    column: column ?? beside,
    most,
    signal,
  })
  return readCorpus(name, batches, { most })
}
