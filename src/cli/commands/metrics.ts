/** `strata metrics`: every layer by itself, one document a model. */
import { inspectMetrics, type MetricsReport, writeMetrics } from '#experiment/inspect'
import { openModel } from '#experiment/open'
import { metricsNamed } from '#representation/metrics'
import type { CommandRun } from '../commands.ts'
import { corpusOf } from '../corpus.ts'
import { metricLines } from '../lines/metric-lines.ts'
import { modelOptions } from '../options.ts'

export const run: CommandRun<'metrics'> = async (references, flags, terminal) => {
  const metrics = metricsNamed(flags.metrics)
  const corpus = await corpusOf(flags, terminal)
  const reports: MetricsReport[] = []
  for (const reference of references) {
    const model = await openModel(reference, modelOptions(flags, terminal))
    try {
      const report = await inspectMetrics(model, corpus, { metrics, signal: terminal.signal, onProgress: terminal.progress })
      reports.push(report)
      if (report.skipped.length > 0) terminal.note(`left out, they compare two views of a text: ${report.skipped.join(', ')}`)
      if (flags.json === true) terminal.print(JSON.stringify(report))
      else for (const line of metricLines(report)) terminal.print(line)
    } finally {
      await model.close()
    }
  }
  if (flags.out !== undefined) await writeMetrics(flags.out, reports)
  return 0
}
