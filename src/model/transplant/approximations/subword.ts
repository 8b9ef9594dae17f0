/**
 * The rows of the pieces into which the model's own tokenizer cuts the token's text. mergekit,
 * `tokensurgeon/subword.py`.
 */
import type { Approximation } from '../approximation.ts'
import { pieceWeights } from '../pieces.ts'

export const subword: Approximation = {
  name: 'subword',
  reference: 'https://github.com/arcee-ai/mergekit',
  summary: "the rows of the pieces into which the model's tokenizer cuts the token",
  looksAt: 'pieces',
  random: false,
  async prepare({ model, pieces, head, options: { subwordMethod } }) {
    const cut = await pieces()
    return async (from, to) => {
      const out = new Float64Array((to - from) * model.width)
      for (let i = from; i < to; i++) {
        const own = cut[i]!
        const rows = await model.take(own)
        const weights = pieceWeights(own.length, subwordMethod, head)
        for (let p = 0; p < own.length; p++) {
          for (let d = 0; d < model.width; d++) {
            const at = (i - from) * model.width + d
            out[at] = out[at]! + weights[p]! * rows.data[p * model.width + d]!
          }
        }
      }
      return out
    }
  },
}
