/**
 * One expert's tensor as it is, with Gaussian noise, scaled: what a mixture of experts asks of its sources.
 * mergekit-moe.
 */
import { normalOf } from '#platform/random'
import { type MergeMethod, numberOf, perModel } from './method.ts'

export const moe: MergeMethod = {
  name: 'moe',
  reference: 'https://arxiv.org/abs/2401.04088',
  base: 'none',
  inputs: [1, 1],
  parameters: { noise_scale: perModel(null), residual_scale: perModel(null) },
  streaming: 'elementwise',
  // Without noise; a scaled product of 16-bit values is rounded once more there. Noise is drawn from our own generator.
  tolerance: 2e-6,
  kernel({ perModel: [values], round, random }) {
    const factor = (name: string, unset: number): number =>
      values?.[name] === null || values?.[name] === undefined ? unset : numberOf(values, name)
    const [noise, scale] = [factor('noise_scale', 0), factor('residual_scale', 1)]
    const words = random(0)
    return {
      grain: 1,
      passes: [],
      output({ offset, length, inputs }, out) {
        const input = inputs[0]!
        if (noise === 0 && scale === 1) return out.set(input)
        if (noise === 0) {
          for (let i = 0; i < length; i++) out[i] = round(scale * input[i]!)
          return
        }
        const drawn = new Uint32Array(2 * length)
        words(2 * offset, drawn)
        for (let i = 0; i < length; i++)
          out[i] = round(scale * round(input[i]! + noise * normalOf(drawn[2 * i]!, drawn[2 * i + 1]!)))
      },
    }
  },
}
