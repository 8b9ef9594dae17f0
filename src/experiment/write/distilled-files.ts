/** Files next to a distilled table: config and modules as model2vec writes them, and a card. */
import { decimals } from '#core'
import { cardHead, licenceSection, type ModelCard } from '#files/cards'
import type { TableDims, TableDtype } from '#model/distill'
import type { CorpusStep } from './corpus-steps.ts'
import { maxLength } from './distil-settings.ts'

export interface DistilledWords {
  /** As results call it. */
  readonly model: string
  readonly tokens: number
  /** Rows that the tokens share. */
  readonly clusters: number | undefined
  readonly width: number
  readonly dims: TableDims
  readonly sif: number | null
  readonly pooling: string
  readonly dtype: TableDtype
  /** Taken or not. */
  readonly steps: readonly CorpusStep[]
}

export function distilledConfig({
  model,
  width,
  dims,
  sif,
  pooling,
  dtype,
  clusters,
}: DistilledWords): Record<string, unknown> {
  return {
    model_type: 'model2vec',
    architectures: ['StaticModel'],
    tokenizer_name: model,
    apply_pca: dims === 'none' ? null : dims,
    sif_coefficient: sif,
    hidden_dim: width,
    // model2vec's own word for no limit
    seq_length: 1_000_000,
    normalize: true,
    pooling,
    max_length: maxLength,
    embedding_dtype: dtype,
    ...(clusters === undefined ? {} : { vocabulary_quantization: clusters }),
  }
}

/** sentence-transformers loads the table by these. */
export const distilledModules = [
  { idx: 0, name: '0', path: '.', type: 'sentence_transformers.models.StaticEmbedding' },
  { idx: 1, name: '1', path: '1_Normalize', type: 'sentence_transformers.models.Normalize' },
]

const stepWords = {
  weights: 'Weights by the frequencies in a corpus',
  fit: 'Rows fitted to the model’s vectors of a corpus',
} as const satisfies Record<CorpusStep['step'], string>

export function distilledCard(
  { model, tokens, clusters, width, dims, sif, pooling, dtype, steps }: DistilledWords,
  { title, cards, version }: { title: string; cards: readonly ModelCard[]; version: string },
): string {
  return `${cardHead({
    bases: [model],
    cards,
    library: 'model2vec',
    pipelineTag: 'feature-extraction',
    tags: ['embeddings', 'static-embeddings', 'sentence-transformers', 'strata'],
  })}# ${title}

A static table distilled from \`${model}\` by Strata ${version}: ${tokens} tokens${clusters === undefined ? '' : ` that share ${clusters} rows`} × ${width} dimensions in ${dtype}. Pooling of a token’s states: ${pooling}; principal components: ${dims}; SIF coefficient: ${sif ?? 'none'}.${steps
    .filter(({ taken }) => taken)
    .map(
      ({ step, before, after }) =>
        ` ${stepWords[step]}: Spearman’s correlation of the cosines with those of the model ${decimals(before.spearman, 4)} → ${decimals(after.spearman, 4)} on texts left out.`,
    )
    .join('')}

\`\`\`python
from model2vec import StaticModel
model = StaticModel.from_pretrained("${title}")
\`\`\`
${licenceSection(cards)}`
}
