/**
 * TSV-M: the leading singular triplets of each task matrix, ⌊rank/T⌋ each, with the singular vectors of all tasks made
 * orthogonal to each other. Gargiulo et al. 2025, alg. 1.
 */
import { columns, joined, polar, scaleColumns, svd, timesTransposed } from '#platform/linalg'
import { numberOf, shared } from './method.ts'
import { scaled } from './iso-c.ts'
import { matrixMethod } from './whole-matrix.ts'

export const tsvM = matrixMethod({
  name: 'tsv_m',
  reference: 'https://arxiv.org/abs/2412.00081',
  parameters: { alpha: shared(1) },
  async merge(changes, task) {
    const { rows, width } = changes[0]!
    const share = Math.max(1, Math.floor(Math.min(rows, width) / changes.length))
    const parts = []
    for (const change of changes) {
      const { u, s, v } = await svd(change)
      const kept = Math.min(share, s.length)
      parts.push({ u: columns(u, 0, kept), s: s.slice(0, kept), v: columns(v, 0, kept) })
    }
    const [u, v] = [await polar(joined(parts.map((part) => part.u))), await polar(joined(parts.map((part) => part.v)))]
    const values = Float64Array.from(parts.flatMap(({ s }) => Array.from(s)))
    return scaled(await timesTransposed(scaleColumns(u, values), v), numberOf(task.shared, 'alpha'))
  },
})
