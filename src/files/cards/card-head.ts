/** Front matter of a model card, with the keys that the hub understands. */
import { yamlText } from '#files/formats'
import { type JoinedLicence, joinLicences, licenceText } from './joined-licence.ts'
import type { ModelIndex } from './model-index.ts'
import { namesOnHub } from './names-on-hub.ts'
import type { ModelCard } from './read-card.ts'

/**
 * How a model came from its `base_model`, in the hub's four words. A layer, a static table and a changed tokenizer are
 * none of them, and state no relation.
 */
export type BaseRelation = 'merge' | 'adapter' | 'finetune' | 'quantized'

export interface CardHead {
  /** Models it was made from, as the user wrote them; those that the hub cannot know are left out. */
  readonly bases: readonly string[]
  readonly relation?: BaseRelation | undefined
  /** Cards of all models and adapters that it was made from. */
  readonly cards: readonly ModelCard[]
  readonly library: string
  readonly pipelineTag?: string | undefined
  readonly tags: readonly string[]
  readonly modelIndex?: ModelIndex | undefined
}

/** The front matter between its two lines of dashes, ending with a newline. */
export function cardHead({ bases, relation, cards, library, pipelineTag, tags, modelIndex }: CardHead): string {
  const names = [...new Set(namesOnHub(bases))]
  const { licence } = joinCardLicences(cards)
  const languages = [...new Set(cards.flatMap((card) => card.languages))]
  const datasets = [...new Set(cards.flatMap((card) => card.datasets))]
  const fields = {
    license: licence?.id,
    license_name: licence?.name,
    license_link: licence?.link,
    language: languages.length === 0 ? undefined : languages,
    base_model: names.length === 0 ? undefined : names,
    base_model_relation: names.length === 0 ? undefined : relation,
    datasets: datasets.length === 0 ? undefined : datasets,
    library_name: library,
    pipeline_tag: pipelineTag,
    tags,
    'model-index': modelIndex,
  }
  const stated = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  return `---\n${yamlText(stated)}---\n`
}

export function joinCardLicences(cards: readonly ModelCard[]): JoinedLicence {
  return joinLicences(cards.map(({ model, licence }) => ({ model, licence })))
}

/** The card's section on licences: every input's, the whole's, and the notes. */
export function licenceSection(cards: readonly ModelCard[]): string {
  const { inputs, licence, notes } = joinCardLicences(cards)
  if (inputs.length === 0) return ''
  const rows = inputs.map(
    ({ model, licence: own }) => `| \`${model}\` | ${own === undefined ? 'unknown' : licenceText(own)} |`,
  )
  const whole = licence === undefined ? 'unknown' : licenceText(licence)
  return `
## Licence

| made from | licence |
|---|---|
${rows.join('\n')}

This model: ${whole}.${notes.length === 0 ? '' : `\n\n${notes.map((note) => `- ${note}`).join('\n')}`}
`
}
