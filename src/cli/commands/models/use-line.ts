/** One way to ask a model, as a line. */
import type { Description } from '#experiment/open'

type Use = Extract<Description, { kind: 'model' }>['uses'][number]

const heads = {
  'one-label': 'a head of one label',
  'two-labels': 'a head of two labels',
  pooled: 'Dense modules behind a pooling',
  'next-token': 'the logits of the next token',
} as const satisfies Record<Extract<Use, { kind: 'reranker' }>['by'], string>

export function useLine(use: Use): string {
  switch (use.kind) {
    case 'encoder':
      return `encoder: ${use.hasDefault ? 'default, ' : ''}h0 … h${use.states - 1}${use.hasSplade ? ', splade' : ''}`
    case 'table':
      return 'table of vectors: default'
    case 'word-counts':
      return 'search by counted words'
    case 'late-interaction':
      return `search by ${use.similarity === 'maxsim' ? 'MaxSim' : 'the mean of MaxSim'} of token vectors`
    case 'sparse':
      return 'search by sparse vectors'
    case 'classifier':
      return `classifier of ${use.labels.length} labels: ${use.labels.slice(0, 8).join(', ')}${use.labels.length > 8 ? ', …' : ''}`
    case 'reranker':
      return `reranker by ${heads[use.by]}, ${use.activation}, pairs of at most ${use.maxLength.toLocaleString('en')} tokens`
    case 'language-model':
      return 'language model'
    default:
      return use satisfies never
  }
}
