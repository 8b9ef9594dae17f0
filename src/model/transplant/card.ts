/** README.md of a model that has got another's tokenizer. */
import { cardHead, licenceSection, type ModelCard, toPipelineTag } from '#files/cards'
import type { Approximation } from './approximation.ts'
import type { TransplantPlan } from './plan.ts'
import { approximations } from './table.ts'

export interface TransplantCardFacts {
  readonly title: string
  /** Cards of both models. */
  readonly cards: readonly ModelCard[]
  /** The output's config.json. */
  readonly config: Readonly<Record<string, unknown>>
  readonly version: string
}

export function transplantCard(
  { model, donor, options, rows, tensors }: TransplantPlan,
  { title, cards, config, version }: TransplantCardFacts,
): string {
  const { reference, summary }: Approximation = approximations[options.method]
  const counts = tensors[0]?.rows.counts
  const head = cardHead({
    bases: [model, donor],
    cards,
    library: 'transformers',
    pipelineTag: toPipelineTag(config),
    tags: ['tokensurgeon', 'strata'],
  })
  return `${head}# ${title}

\`${model}\` with the tokenizer of \`${donor}\`, by Strata ${version}: ${rows} tokens, of which ${counts?.shared ?? 0} have the row they had before. Others: [\`${options.method}\`](${reference}), ${summary}.
${licenceSection(cards)}`
}
