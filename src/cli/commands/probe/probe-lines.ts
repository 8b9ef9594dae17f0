/** Probes for people: one row per data set, one column per layer. */
import { decimals, points, quantity } from '#core'
import { asText } from '#result/report'
import { type Probed, type ProbePlan, summariesOf } from '#experiment/probe'

export function probeLines({ model, version, dataSets, trained, reused }: Probed): string[] {
  const rows = dataSets.map(({ dataSet, units, fault }) => ({
    name: dataSet.name,
    fault,
    summaries: summariesOf(units),
  }))
  const layers = [...new Set(rows.flatMap(({ summaries }) => summaries.map(({ layer }) => layer)))].sort(
    (a, b) => a - b,
  )
  const failed = rows.filter(({ fault }) => fault !== undefined)
  const cells = rows.flatMap(({ name, summaries }) =>
    summaries.length === 0
      ? []
      : [
          [name, ...layers.map((layer) => points(summaries.find((one) => one.layer === layer)?.score, 1))],
          ...controlsIn(summaries).map((control) => [
            `  minus ${control}`,
            ...layers.map((layer) =>
              points(summaries.find((one) => one.layer === layer)?.controls[control]?.selectivity, 1),
            ),
          ]),
          ...(summaries.some(({ mdl }) => mdl !== undefined)
            ? [
                [
                  '  compression',
                  ...layers.map((layer) => decimals(summaries.find((one) => one.layer === layer)?.mdl?.compression, 2)),
                ],
              ]
            : []),
        ],
  )
  const dropped = rows.reduce((sum, { summaries }) => sum + (summaries[0]?.dropped ?? 0), 0)
  return [
    `${model} on ${version}: macro-F1 × 100, or Pearson’s r × 100 · ${trained.toLocaleString('en')} probes trained, ${reused.toLocaleString('en')} reused`,
    ...asText({
      columns: [{ title: 'data set' }, ...layers.map((h) => ({ title: `h${h}`, number: true }))],
      rows: cells,
    }),
    ...(dropped === 0
      ? []
      : [
          `${dropped.toLocaleString('en')} instances left out: their part of the text is beyond the model’s maximum length`,
        ]),
    ...failed.map(({ name, fault }) => `failed: ${name}: ${fault?.message ?? ''}`),
  ]
}

function controlsIn(
  summaries: ReturnType<typeof summariesOf>,
): (keyof ReturnType<typeof summariesOf>[number]['controls'])[] {
  return [...new Set(summaries.flatMap(({ controls }) => Object.keys(controls)))] as (keyof ReturnType<
    typeof summariesOf
  >[number]['controls'])[]
}

export function probePlanLines({ model, collection, layers, controls, dataSets }: ProbePlan): string[] {
  const sum = (of: (one: ProbePlan['dataSets'][number]) => number): string =>
    dataSets.reduce((total, one) => total + of(one), 0).toLocaleString('en')
  return [
    `${model} on ${collection}: ${quantity(dataSets.length, 'data set')} · ${quantity(layers.length, 'layer')} · ${controls.join(', ')}`,
    ...asText({
      columns: [
        { title: 'data set' },
        { title: 'type' },
        ...['classes', 'instances', 'texts', 'probes', 'trained'].map((title) => ({ title, number: true })),
      ],
      rows: dataSets.map(({ name, taskType, classes, instances, texts, probes, trained }) => [
        name,
        taskType,
        ...[classes, instances, texts, probes, trained].map((value) => value.toLocaleString('en')),
      ]),
    }),
    `${sum(({ probes }) => probes)} probes, ${sum(({ trained }) => trained)} of them trained already`,
  ]
}
