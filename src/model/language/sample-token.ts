/**
 * The next token out of logits: the most probable one, or a draw – temperature, then top-k, then top-p, as transformers
 * orders its warpers.
 */

export interface Sampling {
  /** 0: the most probable token. */
  readonly temperature: number
  readonly topK: number | undefined
  readonly topP: number | undefined
}

/** `logits` of one token, [vocabulary]; `draw` gives a number in [0, 1). Among equal logits the lower id is taken. */
export function nextToken(logits: Float32Array, { temperature, topK, topP }: Sampling, draw: () => number): number {
  if (temperature === 0) return mostProbable(logits)
  const order = Array.from(logits.keys()).sort((a, b) => (logits[b] ?? 0) - (logits[a] ?? 0) || a - b)
  const kept = order.slice(0, topK === undefined || topK <= 0 ? order.length : topK)
  const top = logits[kept[0] ?? 0] ?? 0
  const weights = kept.map((id) => Math.exp(((logits[id] ?? -Infinity) - top) / temperature))
  const whole = weights.reduce((sum, weight) => sum + weight, 0)
  const count = topP === undefined || topP >= 1 ? kept.length : nucleus(weights, whole * topP)
  const mass = weights.slice(0, count).reduce((sum, weight) => sum + weight, 0)
  let left = draw() * mass
  for (let i = 0; i < count; i++) {
    left -= weights[i] ?? 0
    if (left < 0) return kept[i] ?? 0
  }
  return kept[count - 1] ?? 0
}

/** The fewest tokens whose weights reach `mass`, at least one (Holtzman et al. 2020). */
function nucleus(weights: readonly number[], mass: number): number {
  let sum = 0
  for (const [i, weight] of weights.entries()) {
    sum += weight
    if (sum >= mass) return i + 1
  }
  return weights.length
}

function mostProbable(logits: Float32Array): number {
  let best = 0
  for (let id = 1; id < logits.length; id++) if ((logits[id] ?? 0) > (logits[best] ?? 0)) best = id
  return best
}
