/** What a card's front matter gives the hub to sort, search and count a model by, and what it leaves out. */
import { asFault, quantity } from '#core'
import { frontMatter, isObject } from '#files/formats'
import { isLicence } from './licences.ts'

export interface CardFields {
  /** Fields that the hub reads, in its order, each as one line of text. */
  readonly stated: readonly { readonly name: string; readonly text: string }[]
  /** Fields that a model's page is poorer without. */
  readonly missing: readonly string[]
  /** Why the hub would not understand the card, or a part of it. */
  readonly unclear: readonly string[]
}

/** A model's (huggingface.co/docs/hub/model-cards); a page without the `wanted` ones is hard to find. */
const fields = [
  { name: 'license', isWanted: true },
  { name: 'license_name' },
  { name: 'license_link' },
  { name: 'language', isWanted: true },
  { name: 'base_model', isWanted: true },
  { name: 'base_model_relation' },
  { name: 'datasets' },
  { name: 'library_name', isWanted: true },
  { name: 'pipeline_tag', isWanted: true },
  { name: 'tags' },
  { name: 'model-index', isWanted: true },
] as const satisfies readonly { readonly name: string; readonly isWanted?: true }[]

/** `text`: README.md; undefined where there is none. Never throws for a card that cannot be read: `unclear` says why. */
export function cardFields(text: string | undefined): CardFields {
  const wanted = fields.flatMap((field) => ('isWanted' in field ? [field.name] : []))
  if (text === undefined) return { stated: [], missing: wanted, unclear: ['there is no README.md'] }
  const head = readHead(text)
  if (head instanceof Error) return { stated: [], missing: wanted, unclear: [head.message] }
  if (head === undefined) return { stated: [], missing: wanted, unclear: ['README.md has no front matter'] }
  if (!isObject(head)) return { stated: [], missing: wanted, unclear: ['the front matter is no mapping'] }
  const stated = fields.flatMap(({ name }) => {
    const line = toLine(name, head[name])
    return line === '' ? [] : [{ name, text: line }]
  })
  const licences = [head['license']].flat().filter((id) => typeof id === 'string')
  return {
    stated,
    missing: wanted.filter((name) => !stated.some((one) => one.name === name)),
    unclear: licences
      .filter((id) => !isLicence(id.toLowerCase()))
      .map((id) => `license: the hub has no identifier ${id}; write other, with license_name and license_link`),
  }
}

function readHead(text: string): unknown {
  try {
    return frontMatter(text, 'README.md')
  } catch (error) {
    return asFault(error, 'format.yaml', 'README.md')
  }
}

/** Empty where nothing is said. */
function toLine(name: string, value: unknown): string {
  if (value === undefined || value === null) return ''
  if (name === 'model-index') return countScores(value)
  return [value]
    .flat()
    .map((one) => (typeof one === 'string' ? one : JSON.stringify(one)))
    .join(', ')
}

function countScores(value: unknown): string {
  const results = [value].flat().flatMap((model) => (isObject(model) ? [model['results']].flat() : []))
  const scores = results.flatMap((one) => (isObject(one) && Array.isArray(one['metrics']) ? one['metrics'] : []))
  return scores.length === 0 ? '' : `${quantity(scores.length, 'score')} of ${quantity(results.length, 'data set')}`
}
