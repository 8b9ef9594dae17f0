/** Flags → the texts that layers are compared and projected by. */
import type { Corpus } from '#experiment/encode'
import { corpusOf } from '../../options/corpus.ts'
import type { Terminal } from '../../spec/command.ts'
import type { Flags } from './flags.ts'

/** What `--pca-corpus` names: a file, or `task:NAME[:split]`; undefined where nothing is named. */
export async function pcaCorpus(
  { pcaCorpus: named, ...flags }: Flags,
  terminal: Terminal,
): Promise<Corpus | undefined> {
  if (named === undefined) return undefined
  const task = named.startsWith('task:') ? named.slice('task:'.length) : undefined
  return corpusOf(
    {
      ...flags,
      task,
      texts: task === undefined ? named : undefined,
      dataSet: undefined,
      column: undefined,
      rows: 30_000,
    },
    terminal,
  )
}
