// A metric: the share of coordinates that hardly move over the texts (a tenth of the mean deviation at most).
// strata metrics ./model --texts texts.txt --metrics still_share --plugin examples/plugins/metric.ts
import { defineMetric } from 'strata-lm/plugin'

export const still = defineMetric({
  name: 'still_share',
  kind: 'pooled',
  rows: 'raw',
  of({ rows, width, data }) {
    const deviations = Array.from({ length: width }, (_, k) => {
      const column = Array.from({ length: rows }, (_, i) => data[i * width + k] ?? 0)
      const mean = column.reduce((sum, value) => sum + value, 0) / rows
      return Math.sqrt(column.reduce((sum, value) => sum + (value - mean) ** 2, 0) / rows)
    })
    const usual = deviations.reduce((sum, value) => sum + value, 0) / width
    return deviations.filter((value) => value <= usual / 10).length / width
  },
})
