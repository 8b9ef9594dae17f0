/** Model Stock: the mean of the inputs, drawn towards the base by how far their changes point apart. Jang, Yun & Han 2024, eq. 7 with the mean of all pairs' cosines. */
import { type Block, flagOf, type Floats, type MergeMethod, sharedFlag } from '../method.ts'
import { type Gram, gram } from './gram.ts'
import { stretchOf } from './nuslerp.ts'

/** Products of norms below this count as it; absolute, as in mergekit. */
const smallestNorms = 1e-6

export const modelStock: MergeMethod = {
  name: 'model_stock',
  reference: 'https://arxiv.org/abs/2403.19522',
  base: 'required',
  inputs: [2, Infinity],
  parameters: {
    filter_wise: sharedFlag(false),
    clamp: { ...sharedFlag(false), help: 'keep the share of the mean within 0 and 1; without, it leaves them where changes point apart' },
  },
  streaming: 'reduction',
  tolerance: 2e-6,
  kernel({ inputs: models, shape, shared: settings, round }) {
    const clamp = flagOf(settings, 'clamp')
    if (flagOf(settings, 'filter_wise')) {
      const width = Math.max(shape.at(-1) ?? 1, 1)
      return {
        grain: width,
        surveys: [],
        output(block, out) {
          for (let from = 0; from < block.length; from += width) {
            const part = stretchOf(block, from, width)
            const row = gram(models)
            row.survey(part)
            mix(part, shareOf(row, models, clamp), round, out.subarray(from, from + width))
          }
        },
      }
    }
    const whole = gram(models)
    let share: number | undefined
    return {
      grain: 1,
      surveys: [whole.survey],
      output(block, out) {
        share ??= shareOf(whole, models, clamp)
        mix(block, share, round, out)
      },
    }
  },
}

function shareOf({ dot, norm }: Gram, models: number, clamp: boolean): number {
  let [sum, pairs] = [0, 0]
  for (let i = 0; i < models; i++) {
    for (let j = i + 1; j < models; j++, pairs++) sum += Math.min(1, Math.max(-1, dot(i, j) / Math.max(norm(i) * norm(j), smallestNorms)))
  }
  const cosine = sum / pairs
  const share = (models * cosine) / (1 + (models - 1) * cosine)
  return clamp ? Math.min(1, Math.max(0, share)) : share
}

function mix({ length, base, inputs }: Block, share: number, round: (value: number) => number, out: Floats): void {
  for (let i = 0; i < length; i++) {
    let sum = 0
    for (let k = 0; k < inputs.length; k++) sum += inputs[k]![i]!
    out[i] = round(round(share * round(sum / inputs.length)) + round((1 - share) * base![i]!))
  }
}
