/**
 * Addresses that are not the hub's, asked the same way: its patience, its proxies, its offline switch, and never its
 * token.
 */
import { Fault, fault } from '#core'
import { type HubResponse, retryRequest } from './request.ts'
import type { HubSettings } from './settings.ts'

export interface AskOptions {
  headers?: Readonly<Record<string, string>>
  signal?: AbortSignal | undefined
  /** What the user can do when nobody answers. */
  hint?: string | undefined
}

/**
 * What `read` makes of a good answer; it may be asked again. Throws `hub.offline`, `hub.network`, `hub.missing`,
 * `hub.server`, and what `read` throws.
 */
export async function askElsewhere<T>(
  settings: HubSettings,
  address: string,
  read: (response: HubResponse) => Promise<T>,
  { headers = {}, signal, hint }: AskOptions = {},
): Promise<T> {
  const { host } = new URL(address)
  if (settings.offline)
    throw fault('hub.offline', {
      place: host,
      what: 'the network is off (HF_HUB_OFFLINE)',
      hint: 'run it once without HF_HUB_OFFLINE',
    })
  try {
    return await retryRequest(settings, address, { headers, signal, anonymous: true }, async (response) => {
      if (response.status === 200) return read(response)
      await response.drop()
      throw fault(response.status === 404 ? 'hub.missing' : 'hub.server', {
        place: host,
        what: 'no good answer',
        seen: response.status,
        wanted: 200,
        hint,
      })
    })
  } catch (error) {
    // The hub's own hint speaks of the hub's own settings.
    if (error instanceof Fault && error.code === 'hub.network')
      throw fault(error.code, { ...error.parts, hint, cause: error })
    throw error
  }
}
