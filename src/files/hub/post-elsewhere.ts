/**
 * Something sent to a host that is not the hub: through the same proxies, tried again the same way, with a key that
 * goes to that host alone.
 */
import type { Fault } from '#core'
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
  /** Longest wait for an answer once all is sent. */
  readonly seconds: number
  readonly signal?: AbortSignal | undefined
}

export interface Answered {
  readonly status: number
  readonly text: string
  /** The fault as one that another try may cure, after the pause that the server asks for. */
  readonly again: (trouble: Fault) => Fault
}

/** The wait for an answer that the hub's own patience would give. */
const workFactor = 30

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
    answerSeconds: Math.max(1, seconds / workFactor),
    stallSeconds: Math.max(defaultPatience.stallSeconds, seconds),
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
      const response = await request(settings, address, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: { byteLength: bytes.byteLength, pieces: () => [bytes] },
        follow: 'hub',
        signal,
      })
      const pause = retryAfter(response.headers)
      return read({
        status: response.status,
        text: await response.text(),
        again: (trouble) => retryable(trouble, pause),
      })
    },
    { patience, signal },
  )
}
