/** How much each piece of a word counts. mergekit, `tokensurgeon/subword.py`. */
export const subwordMethods = ['mean', 'sum', 'weighted_mean', 'first_last'] as const
export type SubwordMethod = (typeof subwordMethods)[number]

/**
 * As mergekit weighs them: of an input row the first piece most, of a head's row the last; `first_last` takes the last
 * piece of an input row and the first of a head's.
 */
export function pieceWeights(count: number, method: SubwordMethod, head: boolean): Float64Array {
  const weights = new Float64Array(count)
  switch (method) {
    case 'mean':
      return weights.fill(1 / count)
    case 'sum':
      return weights.fill(1)
    case 'weighted_mean':
      return weights.map((_, i) => (head ? i + 1 : count - i) / ((count * (count + 1)) / 2))
    case 'first_last':
      if (count > 0) weights[head ? 0 : count - 1] = 1
      return weights
    default:
      return method satisfies never
  }
}
