/**
 * Fisher merging: a mean weighted, element by element, with each model's diagonal Fisher information. Matena & Raffel
 * 2022, eq. 4. Without Fisher tensors it is `linear`.
 */
import { fault } from '#core'
import { type Block, type MergeMethod, numberOf, perModel, shared, sharedWord, type TensorTask } from './method.ts'

export const fisher: MergeMethod = {
  name: 'fisher',
  reference: 'https://arxiv.org/abs/2111.09832',
  base: 'input',
  inputs: [1, Infinity],
  parameters: {
    weight: perModel(1),
    floor: { ...shared(1e-6), help: 'added to every entry of the Fisher diagonal' },
    fisher_norm: {
      ...sharedWord('none', ['none', 'inverse']),
      help: 'inverse: weights times the inverse norms of the Fisher diagonals of the whole models, as shares',
    },
  },
  streaming: 'elementwise',
  tolerance: 'not in mergekit',
  extra: { kind: 'fisher', delivery: 'block' },
  modelPass(task, stage) {
    if (stage > 0 || !byNorm(task)) return undefined
    const { sums, pass } = squares(task)
    return { grain: 1, passes: [pass], totals: () => sums }
  },
  kernel(task) {
    const { name, perModel: models, shared: values, totals } = task
    const floor = numberOf(values, 'floor')
    const { sums, pass } = squares(task)
    if (totals?.[0] !== undefined) sums.set(totals[0])
    let weights: readonly number[] | undefined
    return {
      grain: 1,
      passes: byNorm(task) && totals === undefined ? [pass] : [],
      output({ length, inputs, extras }, out) {
        weights ??= models.map((model, k) => numberOf(model, 'weight') * (byNorm(task) ? shareOf(sums, k, floor) : 1))
        const missing = inputs.filter((_, k) => extras?.[k] === undefined).length
        if (missing > 0 && missing < inputs.length) {
          throw fault('tensor.missing', {
            place: name,
            what: 'some inputs have a Fisher diagonal and some have none',
            seen: `${missing} of ${inputs.length} without`,
          })
        }
        for (let i = 0; i < length; i++) {
          let [sum, whole] = [0, 0]
          for (let k = 0; k < inputs.length; k++) {
            const weight = weights[k]! * (missing > 0 ? 1 : extras![k]![i]! + floor)
            sum += weight * inputs[k]![i]!
            whole += weight
          }
          out[i] = sum / whole
        }
      },
    }
  },
}

function byNorm({ shared: values }: TensorTask): boolean {
  return values['fisher_norm'] === 'inverse'
}

/** Σ F² of each input. */
function squares({ inputs: models }: TensorTask): { sums: Float64Array; pass: (block: Block) => void } {
  const sums = new Float64Array(models)
  return {
    sums,
    pass({ length, extras }) {
      for (let k = 0; k < models; k++) {
        const values = extras?.[k]
        if (values === undefined) continue
        let sum = sums[k]!
        for (let i = 0; i < length; i++) sum += values[i]! * values[i]!
        sums[k] = sum
      }
    },
  }
}

/** Share of the inverse norm of input k among all. */
function shareOf(sums: Float64Array, k: number, floor: number): number {
  const inverse = Array.from(sums, (sum) => 1 / (Math.sqrt(sum) + floor))
  return inverse[k]! / inverse.reduce((all, value) => all + value, 0)
}
