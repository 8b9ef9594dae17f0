/**
 * KnOTS-TIES: the task matrices side by side are decomposed together, and TIES merges the tasks' parts of the right
 * singular vectors. Stoica et al. 2024. Each left vector's largest entry is positive, which settles tied elections.
 */
import { joinedRows, scaleColumns, svd, timesTransposed, transposed } from '#platform/linalg'
import { type MergeMethod, numberOf, perModel, shared, sharedFlag } from './method.ts'
import { ties } from './ties.ts'
import { matrixKernel } from './whole-matrix.ts'

/** Singular values up to this are dropped, as in the reference implementation. */
const smallest = 1e-4

export const knotsTies: MergeMethod = {
  name: 'knots_ties',
  reference: 'https://arxiv.org/abs/2410.19735',
  base: 'required',
  inputs: [1, Infinity],
  parameters: { weight: perModel(1), density: perModel(1), normalize: sharedFlag(true), lambda: shared(1) },
  streaming: 'whole',
  tolerance: 'not in mergekit',
  kernel(task) {
    const weights = task.perModel.map((values) => numberOf(values, 'weight') * numberOf(task.shared, 'lambda'))
    return matrixKernel(
      task,
      async (changes) => {
        const { rows, width } = changes[0]!
        // rows of v: the columns of all tasks, one task after the other
        const { u, s, v } = await svd(transposed(joinedRows(changes.map((change) => transposed(change)))))
        // NaN counts, so that it shows
        const rank = s.filter((value) => !(value <= smallest)).length
        if (rank === 0) return new Float64Array(rows * width)
        const all = transposed(v)
        const parts = changes.map((_, k) => {
          const part = new Float64Array(rank * width)
          for (let r = 0; r < rank; r++)
            part.set(all.data.subarray(r * all.width + k * width, r * all.width + (k + 1) * width), r * width)
          return part
        })
        const shape = [rank, width]
        const kernel = ties.kernel({
          ...task,
          shape,
          count: rank * width,
          compat: 'exact',
          round: (value) => value,
          shared: { ...task.shared, rescale: 'none' },
        })
        const block = { offset: 0, length: rank * width, base: new Float64Array(rank * width), inputs: parts }
        for (const pass of kernel.passes) pass(block)
        const merged = new Float64Array(rank * width)
        kernel.output(block, merged)
        const left = scaleColumns(
          u,
          s.map((value, r) => (r < rank ? value : 0)),
        )
        const used = { rows, width: rank, data: new Float64Array(rows * rank) }
        for (let i = 0; i < rows; i++)
          used.data.set(left.data.subarray(i * left.width, i * left.width + rank), i * rank)
        return timesTransposed(used, transposed({ rows: rank, width, data: merged }))
      },
      weights,
    )
  },
}
