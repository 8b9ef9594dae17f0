/** `strata metrics`: every layer on its own, one document per model and corpus. */
import { join } from 'node:path'
import { fault } from '#core'
import { measureMetrics, type MetricsReport, type Views, writeMetrics } from '#experiment/metrics'
import type { Corpus } from '#experiment/encode'
import { openModel } from '#experiment/open'
import { readColumns } from '#files/tables'
import { representationsNamed } from '#representation/layers'
import { metricsNamed } from '#representation/metrics'
import type { CommandRun } from '../../spec/command.ts'
import type { Flags } from './flags.ts'
import { openCorpus } from '../../options/corpus.ts'
import { metricLines } from './metric-lines.ts'
import { cacheFolder, modelOptions } from '../../options/model-options.ts'

export const run: CommandRun<Flags> = async (references, flags, terminal) => {
  const metrics = metricsNamed(flags.metrics)
  const corpora: Corpus[] = []
  for (const task of flags.task?.split(',') ?? [undefined]) corpora.push(await openCorpus({ ...flags, task }, terminal))
  const views = await viewsOf(flags)
  const reports: MetricsReport[] = []
  for (const reference of references) {
    const model = await openModel(reference, modelOptions(flags, terminal))
    try {
      for (const corpus of corpora) {
        const report = await measureMetrics(model, corpus, {
          metrics,
          views,
          seed: flags.seed,
          representations: await representationsNamed(flags.representation ?? [], model),
          folder: join(cacheFolder(flags), 'metrics'),
          signal: terminal.signal,
          onProgress: terminal.progress,
        })
        reports.push(report)
        if (report.skipped.length > 0)
          terminal.note(
            `left out, because they compare two views of a text (--pairs FILE, or --augmentations N): ${report.skipped.join(', ')}`,
          )
        if (flags.json === true) terminal.print(JSON.stringify(report))
        else for (const line of metricLines(report)) terminal.print(line)
      }
    } finally {
      await model.close()
    }
  }
  if (flags.out !== undefined) await writeMetrics(flags.out, reports)
  return 0
}

/** Columns of a file of pairs, named as in the paraphrase tasks. */
const [first, second] = ['sentence1', 'sentence2'] as const

async function viewsOf({ pairs, augmentations }: Flags): Promise<Views | undefined> {
  if (pairs === undefined) return augmentations === undefined ? undefined : { kind: 'augmented', count: augmentations }
  if (augmentations !== undefined)
    throw fault('usage.conflict', {
      place: '--augmentations',
      what: 'cannot be combined with --pairs',
      hint: 'give one of the two',
    })
  const { columns } = await readColumns([pairs], { columns: [first, second], place: pairs })
  const textsOf = (name: string): string[] =>
    (columns[name] ?? []).map((value, row) => {
      if (typeof value === 'string') return value
      throw fault('table.read', { place: `${pairs} › row ${row + 1}`, what: `${name} is not a text`, seen: value })
    })
  return { kind: 'pairs', first: textsOf(first), second: textsOf(second) }
}
