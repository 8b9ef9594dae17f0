/** Flags → the texts for comparing and projecting layers. */
import type { Corpus } from '#experiment/encode'
import { openCorpus } from '../../options/corpus.ts'
import type { Terminal } from '../../spec/command.ts'
import type { Flags } from './flags.ts'

/** The texts of `--pca-corpus`: a file, or `task:NAME[:split]`; undefined without the flag. */
export async function pcaCorpus(
  { pcaCorpus: named, ...flags }: Flags,
  terminal: Terminal,
): Promise<Corpus | undefined> {
  if (named === undefined) return undefined
  const task = named.startsWith('task:') ? named.slice('task:'.length) : undefined
  return openCorpus(
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
