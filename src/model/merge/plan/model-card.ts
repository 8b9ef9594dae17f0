/** README.md of a merge: front matter as the hub reads it, a summary, the recipe. */
import { cardHead, licenceSection, type ModelCard, toPipelineTag } from '#files/cards'
import { mergeMethodNamed } from '#model/merge-methods'
import type { Recipe } from '../recipe/recipe.ts'

export interface CardFacts {
  readonly title: string
  readonly inputs: readonly string[]
  readonly base: string | undefined
  readonly compat: string
  /** Cards of all inputs, those of inner merges and adapters included. */
  readonly cards: readonly ModelCard[]
  /** The output's config.json. */
  readonly config: Readonly<Record<string, unknown>>
  /** The output has the modules of sentence-transformers. */
  readonly hasModules: boolean
  readonly version: string
}

export function modelCard({ method, text }: Recipe, facts: CardFacts): string {
  const { title, inputs, base, compat, cards, version } = facts
  const head = cardHead({
    bases: inputs,
    relation: 'merge',
    cards,
    library: facts.hasModules ? 'sentence-transformers' : 'transformers',
    pipelineTag: facts.hasModules ? 'sentence-similarity' : toPipelineTag(facts.config),
    tags: ['merge', 'mergekit', 'strata'],
  })
  const { reference } = mergeMethodNamed(method)
  return `${head}# ${title}

Merged with ${reference === '' ? `\`${method}\`` : `[\`${method}\`](${reference})`}${base === undefined ? '' : `, base \`${base}\``}, by Strata ${version} (profile \`${compat}\`), from

${inputs.map((name) => `* \`${name}\``).join('\n')}
${licenceSection(cards)}
\`\`\`yaml
${text}
\`\`\`
`
}
