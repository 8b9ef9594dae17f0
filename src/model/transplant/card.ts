/** README.md of a model that has got another's tokenizer. */
import type { Approximation } from './approximation.ts'
import type { TransplantPlan } from './plan.ts'
import { approximations } from './table.ts'

export function transplantCard(
  { model, donor, options, rows, tensors }: TransplantPlan,
  { title, version }: { title: string; version: string },
): string {
  const { reference, summary }: Approximation = approximations[options.method]
  const hubNames = [model, donor]
    .map((name) => name.split(/[@+]/, 1)[0] ?? '')
    .filter((name) => /^[\w.-]+\/[\w.-]+$/.test(name) && !name.startsWith('.'))
  const counts = tensors[0]?.rows.counts
  return `${[
    '---',
    ...(hubNames.length === 0 ? [] : ['base_model:', ...[...new Set(hubNames)].map((name) => `- ${name}`)]),
    'library_name: transformers',
    'tags:',
    '- tokensurgeon',
    '- strata',
    '---',
  ].join('\n')}
# ${title}

\`${model}\` with the tokenizer of \`${donor}\`, by Strata ${version}: ${rows} tokens, of which ${counts?.shared ?? 0} have the row they had before. Others: [\`${options.method}\`](${reference}), ${summary}.
`
}
