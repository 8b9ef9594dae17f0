/**
 * What the hub says when it says no, as a fault: which of repository, revision and file is missing, what a token would
 * change, when to come back.
 */
import { fault, type Fault } from '#core'
import type { HubResponse } from './request.ts'
import { retryable } from './retry.ts'
import type { Repo } from './layout.ts'
import type { HubSettings } from './settings.ts'

export interface HubQuestion {
  repo: Repo
  revision: string
  /** Undefined when the revision itself was asked for. */
  path?: string
}

/** The fault for an answer that is not a success. Codes: `hub.denied`, `hub.missing`, `hub.busy`, `hub.server`. */
export async function refusal(settings: HubSettings, response: HubResponse, asked: HubQuestion): Promise<Fault> {
  await response.drop()
  const { status } = response
  const place =
    asked.path === undefined
      ? `${asked.repo.name}@${asked.revision}`
      : `${asked.repo.name}@${asked.revision} › ${asked.path}`
  const seen = [
    String(status),
    response.headers.get('x-error-code'),
    redact(settings, response.headers.get('x-error-message')),
  ]
    .filter(Boolean)
    .join(', ')
  const again = status === 408 || status === 429 || status >= 500
  const pauseSeconds = again ? retryAfter(response.headers) : 0

  if (status === 401 || status === 403 || status === 451) return denied(settings, response, asked, place, seen)
  if (status === 404 || status === 410) return missing(response, asked, place, seen)
  const trouble =
    status === 429
      ? fault('hub.busy', {
          place,
          what: 'the hub asks to slow down',
          seen,
          hint: `start again in ${pauseSeconds > 0 ? `${Math.ceil(pauseSeconds)} s` : 'a while'}; a token (HF_TOKEN) raises the limit`,
        })
      : fault('hub.server', {
          place,
          what: again ? 'the hub is in trouble' : 'the hub did not do as asked',
          seen,
          hint: 'try again later; https://status.huggingface.co',
        })
  return again ? retryable(trouble, pauseSeconds) : trouble
}

function denied(
  settings: HubSettings,
  response: HubResponse,
  { repo }: HubQuestion,
  place: string,
  seen: string,
): Fault {
  const page = `${settings.endpoint}/${repo.type === 'dataset' ? 'datasets/' : ''}${repo.name}`
  const hasToken = settings.token() !== undefined
  if (response.headers.get('x-error-code') === 'GatedRepo') {
    const hint = hasToken
      ? `ask for access at ${page}; the token must belong to that account`
      : `ask for access at ${page} and set HF_TOKEN`
    return fault('hub.denied', { place, what: `the ${repo.type} is gated`, seen, hint })
  }
  return fault('hub.denied', {
    place,
    what: hasToken
      ? 'the token gives no access, or the repository does not exist'
      : 'private, or it does not exist; no token was sent',
    seen,
    hint: hasToken
      ? 'check the name, and that the token is valid and may read this repository'
      : 'check the name; for a private repository set HF_TOKEN',
  })
}

function missing(response: HubResponse, { repo, revision, path }: HubQuestion, place: string, seen: string): Fault {
  const code = response.headers.get('x-error-code')
  if (code === 'EntryNotFound') return fault('hub.missing', { place, what: 'no such file in this repository', seen })
  if (code === 'RevisionNotFound')
    return fault('hub.missing', {
      place,
      what: 'no such revision',
      seen: revision,
      hint: 'a branch, tag, commit or refs/pr/N',
    })
  if (code === 'RepoNotFound') {
    const other = repo.type === 'model' ? 'data set' : 'model'
    return fault('hub.missing', {
      place,
      what: `no such ${repo.type} repository`,
      seen,
      hint: `check the name, and that it is not a ${other}; a private one needs HF_TOKEN`,
    })
  }
  return fault('hub.missing', {
    place,
    what: path === undefined ? 'no such repository or revision' : 'no such repository, revision or file',
    seen,
  })
}

/**
 * Seconds from Retry-After (seconds or a date, RFC 9110 §10.2.3), otherwise from the hub's RateLimit header
 * (`"api";r=0;t=55`); 0 if neither is sent.
 */
export function retryAfter(headers: Headers): number {
  const text = headers.get('retry-after')?.trim()
  if (text && /^\d{1,9}$/.test(text)) return Number(text)
  const until = text ? Date.parse(text) : NaN
  if (!Number.isNaN(until)) return Math.max(0, (until - Date.now()) / 1000)
  const limit = /;\s*r=0\b.*;\s*t=(\d{1,9})/.exec(headers.get('ratelimit') ?? '')
  return limit ? Number(limit[1]) : 0
}

/** Servers may echo what they were sent. */
export function redact(settings: HubSettings, text: string | null): string | null {
  const token = settings.token()
  return text !== null && token !== undefined ? text.replaceAll(token, '…') : text
}
