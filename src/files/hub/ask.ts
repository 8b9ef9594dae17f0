/** One HTTP exchange with the hub or a host it points to: time limits, redirects, and a token that never leaves the hub's own origin. */
import { Fault, fault } from '#core'
import { stopIfCancelled, worthRetrying } from './persist.ts'
import type { HubSettings } from './settings.ts'
import { type Body, exchange as onWire, type WireAnswer } from './wire.ts'

/** As many as browsers and huggingface_hub follow. */
const mostRedirects = 20
/** Listings and descriptions; the largest seen are a few MiB a page. */
const longestText = 64 * 2 ** 20
/** What the hub or a store has to work on after the last byte came in may take this many times the usual wait for an answer. */
const workFactor = 30

export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** Headers of every hop, first to last; the hub describes a file on the redirect, not on the store behind it. */
  readonly trail: readonly Headers[]
  /** The body, piece by piece; a silence longer than `stallSeconds` or a cut throws `hub.network`. */
  pieces(): AsyncGenerator<Uint8Array, void>
  /** The whole body as text, within a limit. */
  text(): Promise<string>
  /** Gives the connection back when the body is not wanted. */
  drop(): Promise<void>
}

export interface Question {
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT'
  headers?: Readonly<Record<string, string>>
  body?: Body | undefined
  /** Bytes of the body given to the connection so far. */
  onSent?: ((byteLength: number) => void) | undefined
  signal?: AbortSignal | undefined
  /** Over a connection of its own: one that lay idle may be closed at the other end, and nobody could tell whether this request was read. */
  fresh?: boolean
  /** Whether to go along with redirects to other hosts; `hub` stops at the redirect itself. */
  follow?: 'anywhere' | 'hub'
  /** Leave the token out altogether. */
  anonymous?: boolean
}

/** Asks and follows redirects; every status is an answer, only a missing answer throws (`hub.network`, worth retrying). */
export async function ask(settings: HubSettings, address: string, question: Question = {}): Promise<Answer> {
  const home = new URL(settings.endpoint).origin
  const trail: Headers[] = []
  for (let url = new URL(address); ;) {
    const answer = await exchange(settings, url, question, url.origin === home, trail)
    const location = answer.headers.get('location')
    if (answer.status < 300 || answer.status > 399 || location === null) return answer
    // Only these two promise that the same request is wanted again (RFC 9110 §15.4).
    if (question.body && answer.status !== 307 && answer.status !== 308) return answer
    const next = URL.canParse(location, url.href) ? new URL(location, url.href) : undefined
    if (!next || !/^https?:$/.test(next.protocol)) throw await odd(answer, url, 'redirects to something that is no address')
    if (trail.length > mostRedirects) throw await odd(answer, url, 'redirects without end')
    if (question.follow === 'hub' && next.origin !== home) return answer
    await answer.drop()
    url = next
  }
}

async function exchange(settings: HubSettings, url: URL, question: Question, atHome: boolean, trail: Headers[]): Promise<Answer> {
  const { answerSeconds, stallSeconds } = settings.patience
  const { method = question.body ? 'POST' : 'GET', body, signal, onSent } = question
  const token = atHome && !question.anonymous ? settings.token() : undefined
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
    ...question.headers,
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  }
  let response: WireAnswer
  try {
    response = await onWire(url, {
      method,
      headers,
      body,
      fresh: question.fresh,
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
    throw silence.signal.aborted ? silent(url, limit === stallSeconds && body ? 'the transfer stands still' : 'no answer', limit) : noConnection(url, error)
  } finally {
    clearTimeout(late)
  }
  trail.push(response.headers)

  async function* pieces(): AsyncGenerator<Uint8Array, void> {
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

  async function text(): Promise<string> {
    const parts: Uint8Array[] = []
    let length = 0
    for await (const piece of pieces()) {
      length += piece.byteLength
      if (length > longestText)
        throw fault('hub.server', { place: url.host, what: 'the answer does not end', seen: length, wanted: `at most ${longestText} bytes` })
      parts.push(piece)
    }
    return new TextDecoder().decode(Buffer.concat(parts))
  }

  const drop = async (): Promise<void> => response.drop()
  return { status: response.status, headers: response.headers, trail, pieces, text, drop }
}

function silent(url: URL, what: string, seconds: number): Fault {
  return worthRetrying(fault('hub.network', { place: url.host, what, seen: `nothing for ${seconds} s`, hint: connectionHint }))
}

function noConnection(url: URL, error: unknown): Fault {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : cause instanceof Error ? cause.message : String(cause)
  const trouble = fault('hub.network', { place: url.host, what: 'the connection failed', seen: code, hint: connectionHint, cause: error })
  // A certificate that is not believed now will not be believed in a second.
  return /CERT|SELF_SIGNED|ERR_TLS|ERR_SSL/.test(code) ? trouble : worthRetrying(trouble)
}

const connectionHint = 'check the connection and HF_ENDPOINT; HF_HUB_OFFLINE=1 works with what is cached'

async function odd(answer: Answer, url: URL, what: string): Promise<Fault> {
  await answer.drop()
  return fault('hub.server', { place: url.host, what })
}
