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
        if (status === 200) return parsed(text, place)
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
      hint: error.parts.what.startsWith('no whole answer')
        ? 'give it longer, or less to do: timeout=… and num_concurrent=… in --model_args'
        : 'is the server running there? base_url is the whole address, …/v1/completions',
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
  const hints: Readonly<Record<number, string>> = {
    400: 'the server does not take this request: its model, its longest prompt (max_length), token ids (tokenized_requests=False sends text)',
    401: 'set OPENAI_API_KEY',
    403: 'set OPENAI_API_KEY',
    404: 'base_url is the whole address, …/v1/completions or …/v1/chat/completions, and model the name that the server gives it',
    429: 'send fewer requests at a time with num_concurrent; answers are kept with --output_path or --use_cache',
  }
  return fault('server.refused', {
    place: placeOf(line),
    what: 'the server refused the request',
    seen: `${status} ${said(text, line)}`.trim(),
    hint: hints[status],
  })
}

/** The server's own words, where it has some. */
function said(text: string, { key }: Line): string {
  let words = text
  try {
    const document: unknown = JSON.parse(text)
    const error = isObject(document) ? (document['error'] ?? document['message'] ?? document['detail']) : undefined
    const message = isObject(error) ? error['message'] : error
    if (typeof message === 'string') words = message
  } catch {
    // a page, or nothing
  }
  const own = key()
  return (own === undefined ? words : words.replaceAll(own, '…')).slice(0, 150)
}

function parsed(text: string, place: string): unknown {
  try {
    return parseJson(text, place)
  } catch (error) {
    const odd = /[[:,\s](NaN|-?Infinity)\b/.exec(text)?.[1]
    throw fault('server.answer', {
      place,
      what: odd === undefined ? 'the answer is not JSON' : 'the answer holds a value that is not a number',
      seen: odd ?? text.slice(0, 80),
      cause: error,
    })
  }
}
