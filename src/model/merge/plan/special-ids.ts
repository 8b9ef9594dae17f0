/** Ids in config.json and generation_config.json under another vocabulary: they follow their token. */
import { isObject } from '#files/formats'

type Fields = Readonly<Record<string, unknown>>

export interface Renumbering {
  /** Token by id, in the vocabulary that the fields speak of. */
  readonly before: ReadonlyMap<number, string>
  /** Id by token, in the new one. */
  readonly after: ReadonlyMap<string, number>
  /** The same file of the model whose vocabulary it is: for tokens that it does not have. */
  readonly instead: Fields
}

/**
 * Fields with every `…_token_id` renumbered; where its token is gone, that of the other model stands in, or null.
 * Records inside are gone through as well.
 */
export function renumbered(fields: Fields, { before, after, instead }: Renumbering): Record<string, unknown> {
  const idOf = (id: unknown): number | undefined => {
    const token = typeof id === 'number' ? before.get(id) : undefined
    return token === undefined ? undefined : after.get(token)
  }
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]): [string, unknown] => {
      const other = instead[key]
      if (isObject(value)) return [key, renumbered(value, { before, after, instead: isObject(other) ? other : {} })]
      if (!key.endsWith('_token_id') || value === null) return [key, value]
      const found = Array.isArray(value) ? value.map(idOf).filter((id) => id !== undefined) : idOf(value)
      return [key, found === undefined || (Array.isArray(found) && found.length === 0) ? (other ?? null) : found]
    }),
  )
}
