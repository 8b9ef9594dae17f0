/** Weighted mean ("model soup"). Wortsman et al. 2022 (arXiv 2203.05482); mergekit `linear`. */
import { flagOf, type MergeMethod, numberOf, perModel, sharedFlag } from '../method.ts'

export const linear: MergeMethod = {
  name: 'linear',
  reference: 'https://arxiv.org/abs/2203.05482',
  base: 'input',
  inputs: [1, Infinity],
  parameters: { weight: perModel(), normalize: sharedFlag(true) },
  streaming: 'elementwise',
  tolerance: 2e-6,
  kernel({ perModel: models, shared, round }) {
    const weights = models.map((values) => round(numberOf(values, 'weight')))
    const sum = round(weights.reduce((total, weight) => total + weight, 0))
    const divisor = flagOf(shared, 'normalize') ? sum : 1
    return {
      grain: 1,
      surveys: [],
      output({ length, inputs }, out) {
        for (let i = 0; i < length; i++) {
          let total = 0
          for (let k = 0; k < inputs.length; k++) total += round(weights[k]! * inputs[k]![i]!)
          out[i] = round(round(total) / divisor)
        }
      },
    }
  },
}
