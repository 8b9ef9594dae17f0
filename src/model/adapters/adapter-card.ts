/** README.md of an extracted adapter: front matter as the hub reads it, and how the adapter came about. */
import { namesOnHub } from '#files/hub'

export interface AdapterCardFacts {
  readonly title: string
  readonly model: string
  readonly base: string
  readonly rank: number
  readonly version: string
}

export function adapterCard({ title, model, base, rank, version }: AdapterCardFacts): string {
  const front = [
    '---',
    ...namesOnHub([base]).map((name) => `base_model: ${name}`),
    'library_name: peft',
    'tags:',
    '- lora',
    '- strata',
    '---',
  ]
  return `${front.join('\n')}
# ${title}

A LoRA adapter of rank ${rank} over \`${base}\`: the nearest of that rank to the difference between it and \`${model}\`, extracted by Strata ${version}.
`
}
