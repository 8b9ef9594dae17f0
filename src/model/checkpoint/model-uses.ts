/** How a model may be asked, from headers and small files alone. */
import type { Model } from './model.ts'

/** A new way to ask a model is a member here, a line in `modelUses`, and a line in `strata models`. */
export type ModelUse =
  /** Vectors of texts; `states` are h0 … h(states − 1). */
  | { readonly kind: 'encoder'; readonly hasDefault: boolean; readonly states: number }
  /** Vectors of texts without layers: a table of one row per token, recorded vectors, or a stored graph. */
  | { readonly kind: 'table' }
  /** Counted words: it searches, and has no vectors. */
  | { readonly kind: 'word-counts' }
  | { readonly kind: 'classifier'; readonly labels: readonly string[] }
  | { readonly kind: 'reranker'; readonly by: RerankerHead; readonly maxLength: number; readonly activation: string }
  | { readonly kind: 'language-model' }

/** What scores a pair: a head of one or two labels, Dense modules behind a pooling, or the logits of a next token. */
export type RerankerHead = 'one-label' | 'two-labels' | 'pooled' | 'next-token'

/** Every use, in the order of `ModelUse`. Throws what opening the tokenizer throws. */
export async function modelUses(model: Model): Promise<ModelUse[]> {
  const { states, defaultLacks, settings, searcher, classifier, reranker, languageModel } = model
  const { pairs } = settings
  const { labels } = (await classifier?.()) ?? { labels: [] }
  const uses: readonly (ModelUse | undefined)[] = [
    states && { kind: 'encoder', hasDefault: defaultLacks === undefined, states: states.count },
    states === undefined && defaultLacks === undefined && classifier === undefined ? { kind: 'table' } : undefined,
    searcher && { kind: 'word-counts' },
    labels.length > 1 ? { kind: 'classifier', labels } : undefined,
    reranker && pairs
      ? { kind: 'reranker', by: headOf(pairs), maxLength: pairs.maxLength, activation: pairs.activation }
      : undefined,
    languageModel && { kind: 'language-model' },
  ]
  return uses.flatMap((use) => use ?? [])
}

function headOf({ labels, tokens, pooling }: NonNullable<Model['settings']['pairs']>): RerankerHead {
  if (tokens !== undefined) return 'next-token'
  if (pooling !== undefined) return 'pooled'
  return labels === 2 ? 'two-labels' : 'one-label'
}
