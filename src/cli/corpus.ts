/** Flags → the texts that a look inside a model goes by. */
import { fault } from '#core'
import { type Corpus, readCorpus } from '#experiment/inspect'
import { taskTexts } from '#experiment/sweep'
import { readTexts } from '#files/tables'
import { selectTasks } from './choose-tasks.ts'
import type { Terminal } from './command.ts'
import type { FlagValues } from './flag-values.ts'
import { sweepOptions } from './options.ts'
import { askedFor } from './sweep.ts'

type CorpusFlags = FlagValues<'seed'> & {
  [Name in keyof FlagValues<'corpus' | 'task' | 'column' | 'mostRows'>]: FlagValues<'corpus' | 'task' | 'column' | 'mostRows'>[Name] | undefined
} & Parameters<typeof sweepOptions>[0]

/** What `--texts` or `--task` names. Throws `usage.conflict` for neither and for both. */
export async function corpusOf(flags: CorpusFlags, terminal: Terminal): Promise<Corpus> {
  const { texts: path, task, column, rows: most, seed } = flags
  if ((path === undefined) === (task === undefined))
    throw fault('usage.conflict', {
      place: '--texts, --task',
      what: path === undefined ? 'no texts named' : 'both are given',
      hint: 'name a file of texts, or a task',
    })
  if (path !== undefined) {
    const name = path === '-' ? 'stdin' : (path.split('/').at(-1) ?? path).replace(/\..*$/, '')
    return readCorpus(name, readTexts(path === '-' ? { kind: 'stdin', column } : { kind: 'file', path, column }), { most })
  }
  const [name = '', split] = (task ?? '').split(':')
  const found = await selectTasks({ tasks: [name] }, terminal)
  const texts = taskTexts({ ...sweepOptions({ ...flags, splits: split === undefined ? undefined : [split] }, terminal), ...askedFor(found) })
  return readCorpus(split === undefined ? name : `${name}_${split}`, texts, { most, drawn: { seed } })
}

/** What `--pca-corpus` names: a file, or `task:NAME[:split]`; undefined where nothing is named. */
export async function pcaCorpus(
  { pcaCorpus: named, ...flags }: Omit<CorpusFlags, 'texts' | 'task' | 'column' | 'rows'> & FlagValues<'pcaCorpus'>,
  terminal: Terminal,
): Promise<Corpus | undefined> {
  if (named === undefined) return undefined
  const task = named.startsWith('task:') ? named.slice('task:'.length) : undefined
  return corpusOf({ ...flags, task, texts: task === undefined ? named : undefined, column: undefined, rows: 30_000 }, terminal)
}
