/** Fewer training rows, as in Flash-Holmes: a seeded sample in the original order; dev and test rows stay. */
import { pythonRandom } from '#platform/random'
import { type ProbeDataSet, rowsOf } from '#task/probing'

const seed = 0

export function portionOf(dataSet: ProbeDataSet, portion: number): ProbeDataSet {
  if (portion === 1) return dataSet
  const train = rowsOf(dataSet, 'train')
  const chosen = new Set(
    pythonRandom(seed)
      .sample(train.length, Math.max(1, Math.round(train.length * portion)))
      .map((i) => train[i]),
  )
  return { ...dataSet, instances: dataSet.instances.filter(({ split }, row) => split !== 'train' || chosen.has(row)) }
}
