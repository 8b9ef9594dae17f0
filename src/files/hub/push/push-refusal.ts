/** What the hub, or the store behind it, says when it does not take something, as a fault. */
import { fault, type Fault } from '#core'
import { parseJson } from '#files/formats'
import type { HubResponse } from '../request.ts'
import { retryable } from '../retry.ts'
import { redact, retryAfter } from '../refusal.ts'
import type { HubSettings } from '../settings.ts'

/**
 * Codes: `hub.denied`, `hub.missing`, `hub.conflict`, `hub.limit`, `hub.busy`, `hub.server`; what another try may cure
 * is marked so.
 */
export async function pushRefusal(settings: HubSettings, response: HubResponse, place: string): Promise<Fault> {
  const { status, headers } = response
  const told = headers.get('x-error-message')
  const said = told ?? (await errorIn(response))
  if (told !== null) await response.drop()
  const seen = [String(status), headers.get('x-error-code'), redact(settings, said)].filter(Boolean).join(', ')
  switch (status) {
    case 401:
      return fault('hub.denied', {
        place,
        what: 'the token is not accepted',
        seen,
        hint: `${tokenHint(settings)}; check that it has not expired`,
      })
    case 403:
      return fault('hub.denied', {
        place,
        what: 'the token may not write here',
        seen,
        hint: `a token with write access to it is needed (${tokenHint(settings)}); --create-pr proposes the change instead`,
      })
    case 404:
    case 410:
      return headers.get('x-error-code') === 'EntryNotFound'
        ? fault('hub.missing', { place, what: 'a file to delete no longer exists', seen, hint: 'start again' })
        : fault('hub.missing', {
            place,
            what: 'no such repository or revision',
            seen,
            hint: 'check the name and --repo-type',
          })
    case 409:
    case 412:
      return retryable(
        fault('hub.conflict', { place, what: 'somebody else changed it at the same time', seen, hint: 'start again' }),
      )
    case 402:
    case 413:
    case 507:
      return fault('hub.limit', {
        place,
        what: status === 402 ? 'the storage of the account is full, or it has to be paid for' : 'too large for the hub',
        seen,
        hint:
          status === 402
            ? `see ${settings.endpoint}/settings/billing`
            : 'leave out files (--exclude), or write smaller ones (strata merge --out-shard-size 5B)',
      })
    case 429: {
      const pause = retryAfter(headers)
      const hint = `start again in ${pause > 0 ? `${Math.ceil(pause)} s` : 'a while'}: finished uploads are not sent again`
      return retryable(fault('hub.busy', { place, what: 'the hub asks to slow down', seen, hint }), pause)
    }
    default: {
      if (status === 408 || status >= 500)
        return retryable(
          fault('hub.server', {
            place,
            what: 'the hub is in trouble',
            seen,
            hint: 'try again later; https://status.huggingface.co',
          }),
          retryAfter(headers),
        )
      return fault('hub.server', {
        place,
        what: 'the hub rejects the request',
        seen,
        hint: 'read its message; a model card (README.md) needs valid metadata',
      })
    }
  }
}

export function tokenHint({ endpoint }: HubSettings): string {
  return `set HF_TOKEN or --token, from ${endpoint}/settings/tokens`
}

/** `{"error": "…"}`, as the hub explains itself. */
async function errorIn(response: HubResponse): Promise<string | null> {
  const text = await response.text().catch(() => '')
  try {
    const { error, message } = parseJson(text, 'answer') as { error?: unknown; message?: unknown }
    return [error, message].find((words) => typeof words === 'string') ?? null
  } catch {
    return /<Message>(.*?)<\/Message>/s.exec(text)?.[1] ?? null // a store's XML
  }
}
