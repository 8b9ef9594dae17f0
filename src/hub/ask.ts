/** One HTTP exchange with the hub or a host it points to: time limits, redirects, and a token that never leaves the hub's own origin. */
import { fault, type Fault } from '../core/index.ts'
import { stopIfCancelled, worthRetrying } from './persist.ts'
import type { HubSettings } from './settings.ts'

/** As many as browsers and huggingface_hub follow. */
const mostRedirects = 20
/** Listings and descriptions; the largest seen are a few MiB a page. */
const longestText = 64 * 2 ** 20

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
  method?: 'GET' | 'HEAD'
  headers?: Readonly<Record<string, string>>
  signal?: AbortSignal | undefined
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
  const { method = 'GET', signal } = question
  const token = atHome && !question.anonymous ? settings.token() : undefined
  const silence = new AbortController()
  const late = setTimeout(() => silence.abort(), answerSeconds * 1000)
  const either = signal ? AbortSignal.any([signal, silence.signal]) : silence.signal
  const headers = {
    // The true bytes and their true number: no compression on the way.
    'accept-encoding': 'identity',
    'user-agent': 'strata-lm',
    ...question.headers,
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  }
  let response: Response
  try {
    response = await fetch(url.href, { method, headers, redirect: 'manual', signal: either })
  } catch (error) {
    stopIfCancelled(signal)
    throw silence.signal.aborted ? silent(url, 'no answer', answerSeconds) : noConnection(url, error)
  } finally {
    clearTimeout(late)
  }
  trail.push(response.headers)

  async function* pieces(): AsyncGenerator<Uint8Array, void> {
    if (!response.body) return
    const watch = () => setTimeout(() => silence.abort(), stallSeconds * 1000)
    let stalled = watch()
    try {
      for await (const piece of response.body) {
        clearTimeout(stalled) // a slow reader is no stalled sender
        yield piece
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

  const drop = async (): Promise<void> => response.body?.cancel().catch(() => undefined)
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
