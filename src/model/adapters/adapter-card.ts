/** README.md of an extracted adapter: front matter as the hub reads it, and how the adapter came about. */
import { cardHead, licenceSection, type ModelCard } from '#files/cards'

export interface AdapterCardFacts {
  readonly title: string
  readonly model: string
  readonly base: string
  readonly rank: number
  /** Cards of both models. */
  readonly cards: readonly ModelCard[]
  readonly version: string
}

export function adapterCard({ title, model, base, rank, cards, version }: AdapterCardFacts): string {
  const head = cardHead({
    bases: [base],
    relation: 'adapter',
    cards,
    library: 'peft',
    tags: ['lora', 'strata'],
  })
  return `${head}# ${title}

A LoRA adapter of rank ${rank} over \`${base}\`: the nearest of that rank to the difference between it and \`${model}\`, extracted by Strata ${version}.
${licenceSection(cards)}`
}
