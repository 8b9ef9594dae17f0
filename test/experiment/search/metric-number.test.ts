import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { recordedMetrics } from '#experiment/search'
import { randomState } from '#platform/random'
import { type Metric, metrics, type MetricValue } from '#representation/metrics'
import { scratchFolder } from '../../scratch.ts'

const { path } = scratchFolder()
const random = randomState(1)
const drawn = () => ({ rows: 12, width: 5, data: random.randomSample(60).map((value) => value - 0.5) })

function measure(metric: Metric): Promise<MetricValue | undefined> | MetricValue | undefined {
  return metric.kind === 'views' ? metric.of([drawn(), drawn()]) : metric.of(drawn())
}

/** All numbers of a value. */
const leaves = (value: unknown): number[] =>
  typeof value === 'number' ? [value] : Object.values(value as object).flatMap(leaves)

test.each(Object.values(metrics))('$name is a context of a search', async (metric) => {
  const value = await measure(metric)
  writeFileSync(
    path(`${metric.name}.json`),
    JSON.stringify({ model: 'm', revision: 'step1', layers: { '0': { [metric.name]: value } } }),
  )
  const features = (await recordedMetrics(path(`${metric.name}.json`), {}))('step1', 'h0')
  expect(features).toHaveLength(1)
  expect(leaves(value)).toContain(features?.[0])
})
