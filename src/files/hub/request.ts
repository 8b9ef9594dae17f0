/**
 * One HTTP exchange with the hub or a host it points to: time limits, redirects, and a token that never leaves the
 * hub's own origin.
 */
import { Fault, fault } from '#core'
import { retry, retryable, stopIfCancelled } from './retry.ts'
import type { HubSettings } from './settings.ts'
import { type Body, sendRequest, type HttpResponse } from './http.ts'

/** As many as browsers and huggingface_hub follow. */
const mostRedirects = 20
/** Listings and descriptions; the largest seen are a few MiB a page. */
const longestText = 64 * 2 ** 20
/**
 * What the hub or a store has to work on after the last byte came in may take this many times the usual wait for an
 * answer.
 */
const workFactor = 30

export interface HubResponse {
  readonly status: number
  readonly headers: Headers
  /** Headers of every hop, first to last; the hub describes a file on the redirect, not on the store behind it. */
  readonly hops: readonly Headers[]
  /** The body, piece by piece; a silence longer than `stallSeconds` or a cut throws `hub.network`. */
  pieces(): AsyncGenerator<Uint8Array, void>
  /** The whole body as text, within a limit. */
  text(): Promise<string>
  /** Gives the connection back when the body is not wanted. */
  drop(): Promise<void>
}

export interface RequestOptions {
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | undefined
  headers?: Readonly<Record<string, string>> | undefined
  body?: Body | undefined
  /** Bytes of the body given to the connection so far. */
  onSent?: ((byteLength: number) => void) | undefined
  signal?: AbortSignal | undefined
  /**
   * Over a connection of its own: an idle one may be closed at the other end, and nobody could know whether this
   * request was read.
   */
  fresh?: boolean | undefined
  /** Whether to go along with redirects to other hosts; `hub` stops at the redirect itself. */
  follow?: 'anywhere' | 'hub' | undefined
  /** Leave the token out altogether. */
  anonymous?: boolean | undefined
}

/**
 * Asks and follows redirects; every status is an answer, only a missing answer throws (`hub.network`, worth retrying).
 */
export async function request(
  settings: HubSettings,
  address: string,
  options: RequestOptions = {},
): Promise<HubResponse> {
  const home = new URL(settings.endpoint).origin
  const hops: Headers[] = []
  for (let url = new URL(address); ;) {
    const response = await exchange(settings, url, options, url.origin === home, hops)
    const location = response.headers.get('location')
    if (response.status < 300 || response.status > 399 || location === null) return response
    // Only these two promise that the same request is wanted again (RFC 9110 §15.4).
    if (options.body && response.status !== 307 && response.status !== 308) return response
    const next = URL.canParse(location, url.href) ? new URL(location, url.href) : undefined
    if (!next || !/^https?:$/.test(next.protocol))
      throw await odd(response, url, 'redirects to something that is no address')
    if (hops.length > mostRedirects) throw await odd(response, url, 'redirects without end')
    if (options.follow === 'hub' && next.origin !== home) return response
    await response.drop()
    url = next
  }
}

/**
 * Requests until `read` gets what it wants out of the response: a fault it throws that is worth another try gets one,
 * as far as patience goes.
 */
export function retryRequest<T>(
  settings: HubSettings,
  address: string,
  options: RequestOptions,
  read: (response: HubResponse) => Promise<T>,
): Promise<T> {
  const { signal } = options
  return retry(async () => read(await request(settings, address, options)), { patience: settings.patience, signal })
}

async function exchange(
  settings: HubSettings,
  url: URL,
  options: RequestOptions,
  atHome: boolean,
  hops: Headers[],
): Promise<HubResponse> {
  const { answerSeconds, stallSeconds } = settings.patience
  const { method = options.body ? 'POST' : 'GET', body, signal, onSent } = options
  const token = atHome && !options.anonymous ? settings.token() : undefined
  const silence = new AbortController()
  const either = signal ? AbortSignal.any([signal, silence.signal]) : silence.signal
  let [limit, late] = [answerSeconds, setTimeout(() => silence.abort(), answerSeconds * 1000)]
  const waitAgain = (seconds: number): void => {
    clearTimeout(late)
    ;[limit, late] = [seconds, setTimeout(() => silence.abort(), seconds * 1000)]
  }
  const headers = {
    // The true bytes and their true number: no compression on the way.
    'accept-encoding': 'identity',
    'user-agent': 'strata-lm',
    ...options.headers,
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  }
  let response: HttpResponse
  try {
    response = await sendRequest(url, {
      method,
      headers,
      body,
      fresh: options.fresh,
      proxy: settings.proxy(url),
      signal: either,
      onSent(byteLength) {
        waitAgain(byteLength < (body?.byteLength ?? 0) ? stallSeconds : answerSeconds * workFactor)
        onSent?.(byteLength)
      },
    })
  } catch (error) {
    stopIfCancelled(signal)
    if (error instanceof Fault) throw error // of the body's source, or a proxy
    throw silence.signal.aborted
      ? silent(url, limit === stallSeconds && body ? 'the transfer stands still' : 'no answer', limit)
      : noConnection(url, error)
  } finally {
    clearTimeout(late)
  }
  hops.push(response.headers)

  const pieces = (): AsyncGenerator<Uint8Array, void> => piecesOf(response, url, { silence, stallSeconds, signal })
  const text = (): Promise<string> => textOf(pieces(), url)
  const drop = async (): Promise<void> => response.drop()
  return { status: response.status, headers: response.headers, hops, pieces, text, drop }
}

interface Watch {
  /** Ends the exchange. */
  readonly silence: AbortController
  readonly stallSeconds: number
  readonly signal: AbortSignal | undefined
}

async function* piecesOf(
  response: HttpResponse,
  url: URL,
  { silence, stallSeconds, signal }: Watch,
): AsyncGenerator<Uint8Array, void> {
  const watch = () => setTimeout(() => silence.abort(), stallSeconds * 1000)
  let stalled = watch()
  try {
    for await (const piece of response.body) {
      clearTimeout(stalled) // a slow reader is no stalled sender
      yield piece as Uint8Array
      stalled = watch()
    }
  } catch (error) {
    stopIfCancelled(signal)
    throw silence.signal.aborted ? silent(url, 'the transfer stands still', stallSeconds) : noConnection(url, error)
  } finally {
    clearTimeout(stalled)
  }
}

async function textOf(pieces: AsyncIterable<Uint8Array>, url: URL): Promise<string> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const piece of pieces) {
    length += piece.byteLength
    if (length > longestText)
      throw fault('hub.server', {
        place: url.host,
        what: 'the answer does not end',
        seen: length,
        wanted: `at most ${longestText} bytes`,
      })
    parts.push(piece)
  }
  return new TextDecoder().decode(Buffer.concat(parts))
}

function silent(url: URL, what: string, seconds: number): Fault {
  return retryable(
    fault('hub.network', { place: url.host, what, seen: `nothing for ${seconds} s`, hint: connectionHint }),
  )
}

function noConnection(url: URL, error: unknown): Fault {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const code = cause instanceof Error ? String('code' in cause ? cause.code : cause.message) : String(cause)
  const trouble = fault('hub.network', {
    place: url.host,
    what: 'the connection failed',
    seen: code,
    hint: connectionHint,
    cause: error,
  })
  // A certificate that is not believed now will not be believed in a second.
  return /CERT|SELF_SIGNED|ERR_TLS|ERR_SSL/.test(code) ? trouble : retryable(trouble)
}

const connectionHint = 'check the connection and HF_ENDPOINT; set HF_HUB_OFFLINE=1 to work from the cache'

async function odd(response: HubResponse, url: URL, what: string): Promise<Fault> {
  await response.drop()
  return fault('hub.server', { place: url.host, what })
}
