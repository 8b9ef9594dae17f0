/** Whether the hub answers, for `doctor`. */
import { Fault } from '#core'
import { request } from './request.ts'
import type { HubSettings } from './settings.ts'

export interface Reachability {
  readonly ok: boolean
  /** HTTP status of the answer, if there was one. */
  readonly status?: number
  /** Time to the answer. */
  readonly milliseconds?: number
  /** Why not. */
  readonly reason?: string | undefined
}

/**
 * Asks the hub's front door once, without a token; offline mode is reported without asking. Never throws for a hub that
 * does not answer.
 */
export async function reachable(settings: HubSettings, signal?: AbortSignal): Promise<Reachability> {
  if (settings.offline) return { ok: false, reason: 'offline mode (HF_HUB_OFFLINE): not asked' }
  const started = performance.now()
  try {
    const response = await request(settings, `${settings.endpoint}/`, {
      method: 'HEAD',
      signal,
      follow: 'hub',
      anonymous: true,
      fresh: true,
    })
    await response.drop()
    const milliseconds = Math.round(performance.now() - started)
    const ok = response.status < 500
    return { ok, status: response.status, milliseconds, reason: ok ? undefined : 'the hub is in trouble' }
  } catch (error) {
    if (!(error instanceof Fault) || error.code === 'run.cancelled') throw error
    return { ok: false, reason: error.message }
  }
}
