/** Heads that many families share, as data. */
import type { Activation } from './activation.ts'
import type { HeadSpec, HeadStep, NormSpec } from './spec.ts'

/** A causal LM's head: what the family does to states, onto the vocabulary, then what it does to logits. */
export function causalHead(options: {
  tied: boolean
  bias?: boolean
  before?: readonly HeadStep[]
  after?: readonly HeadStep[]
}): HeadSpec {
  const { tied, bias = false, before = [], after = [] } = options
  return {
    from: 'tokens',
    steps: [
      ...before,
      { do: 'vocabulary', slot: 'head.causal', tied, bias: bias ? 'head.causal.bias' : undefined },
      ...after,
    ],
  }
}

/** `GenericForSequenceClassification` of transformers: a bare Linear on the last token that is not a pad. */
export const scoreHead: HeadSpec = {
  from: 'last-not-pad',
  steps: [{ do: 'linear', slot: 'head.sequence.out', out: 'labels', bias: false }],
}

/** A Linear over the first token and tanh, as BERT's pooler. */
export function poolerHead(width: number): HeadSpec {
  return {
    from: 'first',
    steps: [
      { do: 'linear', slot: 'pooler', out: width, bias: true },
      { do: 'activation', activation: 'tanh' },
    ],
  }
}

/** A Linear over what the pooler makes of the text. */
export function pooledClassifier({ from, steps }: HeadSpec): HeadSpec {
  return { from, steps: [...steps, { do: 'linear', slot: 'head.sequence.out', out: 'labels', bias: true }] }
}

/** A classifier on the first token: dense, activation, out. */
export function denseClassifier(width: number, activation: Activation): HeadSpec {
  return {
    from: 'first',
    steps: [
      { do: 'linear', slot: 'head.sequence.dense', out: width, bias: true },
      { do: 'activation', activation },
      { do: 'linear', slot: 'head.sequence.out', out: 'labels', bias: true },
    ],
  }
}

/** A masked LM's head: dense, activation, norm, vocabulary. */
export function maskedHead(options: {
  width: number
  activation: Activation
  norm: NormSpec
  tied: boolean
  denseBias?: boolean
  bias?: boolean
}): HeadSpec {
  const { width, activation, norm, tied, denseBias = true, bias = true } = options
  return {
    from: 'tokens',
    steps: [
      { do: 'linear', slot: 'head.masked.dense', out: width, bias: denseBias },
      { do: 'activation', activation },
      { do: 'norm', slot: 'head.masked.norm', norm },
      { do: 'vocabulary', slot: 'head.masked.decoder', tied, bias: bias ? 'head.masked.bias' : undefined },
    ],
  }
}
