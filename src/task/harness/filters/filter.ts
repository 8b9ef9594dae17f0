/**
 * From a model's response to the answer that is compared: a filter works on all responses of a task, repeats of one
 * document together.
 */
import type { Doc } from '../doc.ts'

/** A response, or what a filter made of it; a list where several repeats are kept as one. */
export type Response = string | readonly string[]

export interface Filtered {
  /** The responses of every document: one per repeat, until a filter takes some of them. */
  readonly responses: readonly (readonly Response[] | Response)[]
  /** Responses in which nothing was found. */
  readonly missed: number
}

export type Options = Readonly<Record<string, unknown>>

export interface Filter {
  /** Names of the options that it knows. */
  readonly options: readonly string[]
  /** Throws `usage.value` for options of the wrong kind. */
  readonly make: (
    options: Options,
    place: string,
  ) => (responses: readonly (readonly Response[] | Response)[], docs: readonly Doc[]) => Filtered
}

/** A filter of single responses. */
export function eachResponse(
  make: (options: Options, place: string) => (response: string, doc: Doc) => Response | undefined,
  fallback: (options: Options) => Response = () => '',
): Filter['make'] {
  return (options, place) => {
    const one = make(options, place)
    const instead = fallback(options)
    return (responses, docs) => {
      let missed = 0
      const filtered = responses.map((own, i) =>
        [own].flat().map((response) => {
          const found = one(String(response), docs[i] ?? {})
          if (found === undefined) missed++
          return found ?? instead
        }),
      )
      return { responses: filtered, missed }
    }
  }
}
