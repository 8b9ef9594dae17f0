/**
 * RegMean: of each linear layer the weights whose outputs are nearest to those of all models on their own inputs, by
 * the inputs' Gram matrices. Jin et al. 2023, eq. 2. Tensors without Gram matrices get a weighted mean.
 */
import { fault, significant } from '#core'
import { solvePositive, timesTransposed } from '#platform/linalg'
import { type Kernel, type MergeMethod, numberOf, perModel, shared, type TensorTask } from './method.ts'
import { combination } from './combination.ts'

export const regmean: MergeMethod = {
  name: 'regmean',
  reference: 'https://arxiv.org/abs/2212.09849',
  base: 'input',
  inputs: [1, Infinity],
  parameters: {
    weight: perModel(1),
    reduce_offdiag: { ...shared(0.9), help: 'factor of the Gram matrices off their diagonals, for conditioning' },
  },
  streaming: 'whole',
  tolerance: 'not in mergekit',
  extra: { kind: 'gram', delivery: 'whole' },
  kernel(task) {
    const weights = task.perModel.map((values) => numberOf(values, 'weight'))
    const sum = weights.reduce((all, weight) => all + weight, 0)
    const grams = task.perModel.map((_, k) => task.extras?.[k]?.['gram'])
    const given = grams.filter((values) => values !== undefined)
    if (given.length === 0) {
      if (sum === 0) throw fault('config.value', { place: task.name, what: 'the weights add up to 0', seen: weights })
      const shares = weights.map((weight) => weight / sum)
      return {
        grain: 1,
        passes: [],
        output: (block, out) => combination({ ...block, base: undefined }, shares, (value) => value, out),
      }
    }
    const [rows = 1, width = 1] = task.shape
    if (
      given.length < grams.length ||
      task.shape.length !== 2 ||
      given.some((values) => values.length !== width * width)
    ) {
      throw fault('tensor.shape', {
        place: task.name,
        what: 'Gram matrices do not fit: every input needs one of its columns',
        seen: grams.map((values) => values?.length ?? 'none'),
        wanted: [width, width],
      })
    }
    return solved(
      task,
      given.map((values, k) => reduced(values, width, numberOf(task.shared, 'reduce_offdiag'), weights[k]!)),
      rows,
      width,
    )
  },
}

/** A Gram matrix with smaller entries off its diagonal, times a weight. */
function reduced(gram: ArrayLike<number>, width: number, factor: number, weight: number): Float64Array {
  return Float64Array.from(gram, (value, i) => value * weight * (i % (width + 1) === 0 ? 1 : factor))
}

/** Wᵀ = (Σ G)⁻¹ Σ G Wᵀ */
function solved(
  { inputs: models, count }: TensorTask,
  grams: readonly Float64Array[],
  rows: number,
  width: number,
): Kernel {
  const inputs = Array.from({ length: models }, () => new Float64Array(count))
  const notes: string[] = []
  let merged: Float64Array | undefined
  return {
    grain: 1,
    notes,
    passes: [({ offset, inputs: values }) => inputs.forEach((all, k) => all.set(values[k]!, offset))],
    async settle() {
      const gram = new Float64Array(width * width)
      const target = new Float64Array(rows * width)
      for (const [k, own] of grams.entries()) {
        for (let i = 0; i < gram.length; i++) gram[i]! += own[i]!
        // the Gram matrix is symmetric: W G is (G Wᵀ)ᵀ
        const product = await timesTransposed({ rows, width, data: inputs[k]! }, { rows: width, width, data: own })
        for (let i = 0; i < target.length; i++) target[i]! += product[i]!
      }
      const { solution, ridge } = await solvePositive({ rows: width, width, data: gram }, { rows, width, data: target })
      if (ridge > 0)
        notes.push(`the sum of the Gram matrices is singular: ${significant(ridge, 3)} was added to its diagonal`)
      merged = solution
      inputs.length = 0
    },
    output: ({ offset, length }, out) => out.set(merged!.subarray(offset, offset + length)),
  }
}
