/** README.md of a merge: front matter as the hub reads it, a summary, the recipe. */
import { namesOnHub } from '#files/hub'
import { mergeMethodNamed } from '#model/merge-methods'
import type { Recipe } from '../recipe/recipe.ts'

export interface CardFacts {
  readonly title: string
  readonly inputs: readonly string[]
  readonly base: string | undefined
  readonly compat: string
  readonly version: string
}

export function modelCard({ method, text }: Recipe, { title, inputs, base, compat, version }: CardFacts): string {
  const hubNames = namesOnHub(inputs)
  const front = [
    '---',
    ...(hubNames.length === 0 ? [] : ['base_model:', ...[...new Set(hubNames)].map((name) => `- ${name}`)]),
    'library_name: transformers',
    'tags:',
    '- merge',
    '- mergekit',
    '- strata',
    '---',
  ]
  const { reference } = mergeMethodNamed(method)
  return `${front.join('\n')}
# ${title}

Merged with ${reference === '' ? `\`${method}\`` : `[\`${method}\`](${reference})`}${base === undefined ? '' : `, base \`${base}\``}, by Strata ${version} (profile \`${compat}\`), from

${inputs.map((name) => `* \`${name}\``).join('\n')}

\`\`\`yaml
${text}
\`\`\`
`
}
