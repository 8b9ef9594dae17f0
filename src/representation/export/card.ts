/**
 * README.md of an exported model: front matter as the hub reads it, what it is, how it is used, what it scored, how it
 * was made.
 */
import { grouped, points } from '#core'
import { cardHead, type CardScore, licenceSection, type ModelCard, toModelIndex } from '#files/cards'
import type { ExportForm } from './forms.ts'

/** A score that lies in the ledger. */
export interface QuotedScore {
  readonly task: string
  readonly score: number
  /** Score of the whole model as it is, where that was computed too. */
  readonly whole: number | undefined
  /** Scores of its splits and subsets, for the card's `model-index`. */
  readonly parts: readonly CardScore[]
}

export interface CardFacts {
  readonly title: string
  readonly form: ExportForm
  /** As the user wrote it. */
  readonly model: string
  readonly revision: string
  readonly representation: string
  readonly blocks: number
  readonly layers: number
  /** Numbers of a vector; undefined where the form gives none. */
  readonly width: number | undefined
  readonly parameters: number
  readonly types: readonly string[]
  readonly maxLength: number
  /** What a reader should know. */
  readonly notes: readonly string[]
  readonly cards: readonly ModelCard[]
  readonly scores: readonly QuotedScore[]
  readonly command: string | undefined
  readonly version: string
}

const libraries = {
  'sentence-transformers': 'sentence-transformers',
  transformers: 'transformers',
  onnx: 'transformers.js',
} as const satisfies Record<ExportForm, string>

export function exportCard(facts: CardFacts): string {
  const { title, form, model, revision, representation, blocks, layers, width, parameters, types, maxLength, version } =
    facts
  const indexed = facts.scores.flatMap(({ parts }) => parts)
  const head = cardHead({
    bases: [model],
    cards: facts.cards,
    library: libraries[form],
    pipelineTag: form === 'sentence-transformers' ? 'sentence-similarity' : 'feature-extraction',
    modelIndex: indexed.length === 0 ? undefined : toModelIndex(title, indexed),
    tags: ['feature-extraction', ...(form === 'onnx' ? ['onnx'] : []), 'strata'],
  })
  return `${head}# ${title}

\`${representation}\` of \`${model}\` (${revision}): ${blocks} of ${layers} blocks, ${grouped(parameters)} parameters in ${types.join(' and ')}${
    width === undefined ? '' : `, ${width} numbers per text`
  }, at most ${maxLength} tokens. Exported by Strata ${version}.
${facts.notes.map((note) => `\n- ${note}`).join('')}${facts.notes.length > 0 ? '\n' : ''}
## Use

${usage(facts)}
${scoreTable(facts)}${licenceSection(facts.cards)}${facts.command === undefined ? '' : `\n## Made by\n\n\`\`\`\n${facts.command}\n\`\`\`\n`}`
}

function usage({ form, title }: CardFacts): string {
  switch (form) {
    case 'sentence-transformers':
      return code('python', [
        'from sentence_transformers import SentenceTransformer',
        `model = SentenceTransformer("${title}")`,
        'vectors = model.encode(["a text", "another"])',
      ])
    case 'transformers':
      return code('python', [
        'from transformers import AutoModel, AutoTokenizer',
        `tokenizer, model = AutoTokenizer.from_pretrained("${title}"), AutoModel.from_pretrained("${title}")`,
        'states = model(**tokenizer(["a text"], return_tensors="pt")).last_hidden_state',
      ])
    case 'onnx':
      return `${code('python', [
        'import onnxruntime, tokenizers',
        `session = onnxruntime.InferenceSession("${title}/onnx/model.onnx")`,
        '# inputs and outputs: input_ids, attention_mask, … → token_embeddings, sentence_embedding',
      ])}\n\n${code('js', [
        "import { AutoModel, AutoTokenizer } from '@huggingface/transformers'",
        `const [tokenizer, model] = [await AutoTokenizer.from_pretrained('${title}'), await AutoModel.from_pretrained('${title}', { dtype: 'fp32' })]`,
        "const { sentence_embedding } = await model(await tokenizer(['a text'], { padding: true, truncation: true }))",
      ])}`
    default:
      return form satisfies never
  }
}

function code(language: string, lines: readonly string[]): string {
  return ['```' + language, ...lines, '```'].join('\n')
}

function scoreTable({ scores, representation }: CardFacts): string {
  if (scores.length === 0) return ''
  const cell = (score: number | undefined): string => (score === undefined ? '' : points(score))
  const rows = scores.map(({ task, score, whole }) => `| ${task} | ${cell(score)} | ${cell(whole)} |`)
  return `\n## Scores\n\n| task | \`${representation}\` | the whole model |\n|---|---|---|\n${rows.join('\n')}\n`
}
