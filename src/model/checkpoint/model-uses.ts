/** How a model may be asked, from headers and small files alone. */
import type { Model } from './model.ts'

/** A new way to ask a model is a member here, a line in `modelUses`, and a line in `strata models`. */
export type ModelUse =
  /** Vectors of texts; `states` are h0 … h(states − 1); a masked-LM head weighs words besides. */
  | { readonly kind: 'encoder'; readonly hasDefault: boolean; readonly states: number; readonly hasSplade: boolean }
  /** Vectors of texts without layers: a table of one row per token, recorded vectors, or a stored graph. */
  | { readonly kind: 'table' }
  /** Counted words: it searches, and has no vectors. */
  | { readonly kind: 'word-counts' }
  /** A vector for each token; searches by MaxSim, or its mean over the query's tokens. */
  | { readonly kind: 'late-interaction'; readonly similarity: 'maxsim' | 'meanmaxsim' }
  /** Vectors of which few numbers are not 0; searches go through these. */
  | { readonly kind: 'sparse' }
  | { readonly kind: 'classifier'; readonly labels: readonly string[] }
  | { readonly kind: 'reranker'; readonly by: RerankerHead; readonly maxLength: number; readonly activation: string }
  | { readonly kind: 'language-model' }

/** What scores a pair: a head of one or two labels, Dense modules behind a pooling, or the logits of a next token. */
export type RerankerHead = 'one-label' | 'two-labels' | 'pooled' | 'next-token'

/** Every use, in the order of `ModelUse`. Throws what opening the tokenizer throws. */
export async function modelUses(model: Model): Promise<ModelUse[]> {
  const { states, defaultLacks, settings, splade, classifier, reranker, languageModel } = model
  const { pairs } = settings
  const { labels } = (await classifier?.()) ?? { labels: [] }
  const uses: readonly (ModelUse | undefined)[] = [
    states && {
      kind: 'encoder',
      hasDefault: defaultLacks === undefined,
      states: states.count,
      hasSplade: splade !== undefined,
    },
    states === undefined && defaultLacks === undefined && classifier === undefined ? { kind: 'table' } : undefined,
    searchUse(model),
    labels.length > 1 ? { kind: 'classifier', labels } : undefined,
    reranker && pairs
      ? { kind: 'reranker', by: headOf(pairs), maxLength: pairs.maxLength, activation: pairs.activation }
      : undefined,
    languageModel && { kind: 'language-model' },
  ]
  return uses.flatMap((use) => use ?? [])
}

function searchUse({ searcher, sparse, settings: { lateInteraction } }: Model): ModelUse | undefined {
  if (searcher === undefined) return undefined
  if (lateInteraction !== undefined)
    return { kind: 'late-interaction', similarity: lateInteraction.isMean ? 'meanmaxsim' : 'maxsim' }
  return { kind: sparse === undefined ? 'word-counts' : 'sparse' }
}

function headOf({ labels, tokens, pooling }: NonNullable<Model['settings']['pairs']>): RerankerHead {
  if (tokens !== undefined) return 'next-token'
  if (pooling !== undefined) return 'pooled'
  return labels === 2 ? 'two-labels' : 'one-label'
}
