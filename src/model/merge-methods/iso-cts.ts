/**
 * Iso-CTS: the leading directions of the summed task matrices, the rest filled up with each task's own leading
 * directions outside of them, both sides made orthogonal, all singular values made equal to their mean. Marczak et al.
 * 2025, §4.3.
 */
import { columns, joined, polar, svd, timesTransposed, transposed } from '#platform/linalg'
import { numberOf, shared } from './method.ts'
import { scaled, sumOf } from './iso-c.ts'
import { type Change, matrixMethod } from './whole-matrix.ts'

export const isoCts = matrixMethod({
  name: 'iso_cts',
  reference: 'https://arxiv.org/abs/2502.04959',
  parameters: {
    alpha: shared(1),
    common: { ...shared(0.8), help: 'share of the directions that all tasks have in common' },
  },
  async merge(changes, task) {
    const sum = sumOf(changes)
    const all = Math.min(sum.rows, sum.width)
    const share = Math.floor((all - Math.floor(numberOf(task.shared, 'common') * all)) / changes.length)
    const whole = await svd(sum)
    const leading = Math.min(whole.s.length, all - share * changes.length)
    const common = { u: columns(whole.u, 0, leading), s: whole.s.slice(0, leading), v: columns(whole.v, 0, leading) }
    const parts = [common]
    for (const change of changes) {
      const own = await svd(await outside(change, common.u))
      const kept = Math.min(share, own.s.length)
      parts.push({ u: columns(own.u, 0, kept), s: own.s.slice(0, kept), v: columns(own.v, 0, kept) })
    }
    const values = parts.flatMap(({ s }) => Array.from(s))
    const mean = values.reduce((total, value) => total + value, 0) / Math.max(values.length, 1)
    const [u, v] = [await polar(joined(parts.map((part) => part.u))), await polar(joined(parts.map((part) => part.v)))]
    return scaled(await timesTransposed(u, v), numberOf(task.shared, 'alpha') * mean)
  },
})

/** (I − UUᵀ) a */
async function outside(a: Change, u: Change): Promise<Change> {
  const inside = await timesTransposed(transposed(u), transposed(a))
  const back = await timesTransposed(u, {
    rows: a.width,
    width: u.width,
    data: transposed({ rows: u.width, width: a.width, data: inside }).data,
  })
  return { ...a, data: a.data.map((value, i) => value - back[i]!) }
}
