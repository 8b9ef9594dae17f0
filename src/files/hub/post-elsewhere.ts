/**
 * Something sent to a host that is not the hub: through the same proxies, tried again the same way, with a key that
 * goes to that host alone.
 */
import { type Fault, fault } from '#core'
import { retryAfter } from './refusal.ts'
import { request } from './request.ts'
import { retry, retryable } from './retry.ts'
import { defaultPatience, type HubSettings } from './settings.ts'

export interface PostOptions {
  /** JSON. */
  readonly body: string
  /** A bearer token; a function so that no message can show it. */
  readonly key: () => string | undefined
  /** Tries in all, where nobody answers or the answer says so. */
  readonly tries: number
  /** Longest time of a try, from its first byte to the answer's last. */
  readonly seconds: number
  readonly signal?: AbortSignal | undefined
}

export interface Answered {
  readonly status: number
  readonly text: string
  /** The fault as one that another try may cure, after the pause that the server asks for. */
  readonly again: (trouble: Fault) => Fault
}

/**
 * What `read` makes of an answer, whatever its status. Throws `hub.network`, `run.cancelled`, and what `read` throws.
 */
export async function postElsewhere<T>(
  { proxy, cacheFolder, symlinks }: HubSettings,
  address: string,
  { body, key, tries, seconds, signal }: PostOptions,
  read: (answer: Answered) => T,
): Promise<T> {
  const bytes = Buffer.from(body)
  const patience = {
    ...defaultPatience,
    retries: tries - 1,
    firstSeconds: 1,
    longestSeconds: 10,
    // a try ends by its own clock
    answerSeconds: seconds + 1,
    stallSeconds: seconds + 1,
  }
  const settings: HubSettings = {
    endpoint: new URL(address).origin,
    token: key,
    offline: false,
    proxy,
    cacheFolder,
    symlinks,
    patience,
  }
  return retry(
    async () => {
      const { headers, status, text } = await withinTime({ address, seconds, signal }, async (either) => {
        const response = await request(settings, address, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: { byteLength: bytes.byteLength, pieces: () => [bytes] },
          follow: 'hub',
          signal: either,
        })
        return { headers: response.headers, status: response.status, text: await response.text() }
      })
      const pause = retryAfter(headers)
      return read({ status, text, again: (trouble) => retryable(trouble, pause) })
    },
    { patience, signal },
  )
}

interface Clock {
  readonly address: string
  readonly seconds: number
  readonly signal: AbortSignal | undefined
}

/** What `ask` gives before the time is over; a fault that another try may cure where it does not. */
async function withinTime<T>(
  { address, seconds, signal }: Clock,
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), seconds * 1000)
  try {
    return await ask(signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]))
  } catch (error) {
    if (!late.signal.aborted || signal?.aborted === true) throw error
    throw retryable(
      fault('hub.network', {
        place: new URL(address).host,
        what: `no whole answer within ${seconds} s`,
        cause: error,
      }),
    )
  } finally {
    clearTimeout(timer)
  }
}
