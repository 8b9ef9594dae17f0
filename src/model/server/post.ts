/** One question to a server: sent, tried again where that may help, its answer as JSON. */
import { Fault, fault } from '#core'
import { isObject, parseJson } from '#files/formats'
import { hubSettings, postElsewhere } from '#files/hub'

export interface Line {
  /** Where it listens: `http://localhost:8000/v1/completions`. */
  readonly address: string
  readonly key: () => string | undefined
  readonly tries: number
  readonly seconds: number
  readonly remedies: Remedies
}

/** What the user can do about an answer. */
export interface Remedies {
  /** Nobody answers. */
  readonly silent: string
  readonly late: string
  readonly key: string
  /** By status. */
  readonly refused: Readonly<Record<number, string>>
}

/**
 * Requests that end with status 408, 429 or 500 and above are tried again. Throws `server.network`, `server.refused`,
 * `server.answer` for an answer that is not JSON, and the reason of `signal`. No message holds the key, though a server
 * may echo it.
 */
export async function post(line: Line, body: unknown, signal: AbortSignal | undefined): Promise<unknown> {
  const { address, key, tries, seconds } = line
  const place = placeOf(line)
  try {
    return await postElsewhere(
      hubSettings(),
      address,
      { body: JSON.stringify(body), key, tries, seconds, signal },
      ({ status, text, again }) => {
        if (status === 200) return parsed(text, line)
        const trouble = refusal(status, text, line)
        throw status === 408 || status === 429 || status >= 500 ? again(trouble) : trouble
      },
    )
  } catch (error) {
    signal?.throwIfAborted()
    if (!(error instanceof Fault) || error.code !== 'hub.network') throw error
    throw fault('server.network', {
      ...error.parts,
      place,
      hint: error.parts.what.startsWith('no whole answer') ? line.remedies.late : line.remedies.silent,
      cause: error,
    })
  }
}

/** The address without what may be a secret. */
export function placeOf({ address }: Pick<Line, 'address'>): string {
  const { origin, pathname } = new URL(address)
  return `${origin}${pathname}`
}

function refusal(status: number, text: string, line: Line): Fault {
  const { key, refused } = line.remedies
  return fault('server.refused', {
    place: placeOf(line),
    what: 'the server refused the request',
    seen: `${status} ${said(text, line)}`.trim(),
    hint: status === 401 || status === 403 ? key : refused[status],
  })
}

/** The server's own words, where it has some; nothing of the key, which it may echo. */
function said(text: string, line: Line): string {
  let words = text
  try {
    words = troubleIn(JSON.parse(text)) ?? text
  } catch {
    // a page, or nothing
  }
  return withoutKey(words, line).slice(0, 150)
}

export function withoutKey(words: string, { key }: Pick<Line, 'key'>): string {
  const own = key()
  return own === undefined || own === '' ? words : words.replaceAll(own, '…')
}

/** What a document says of an error, in the places where servers write it. */
export function troubleIn(document: unknown): string | undefined {
  const error = isObject(document) ? (document['error'] ?? document['message'] ?? document['detail']) : undefined
  const message = isObject(error) ? error['message'] : error
  return typeof message === 'string' ? message : undefined
}

function parsed(text: string, line: Line): unknown {
  const place = placeOf(line)
  try {
    return parseJson(text, place)
  } catch (error) {
    const odd = /[[:,\s](NaN|-?Infinity)\b/.exec(text)?.[1]
    throw fault('server.answer', {
      place,
      what: odd === undefined ? 'the answer is not JSON' : 'the answer holds a value that is not a number',
      seen: odd ?? said(text, line).slice(0, 80),
      cause: error,
    })
  }
}
