/**
 * Requests that change something on the hub, or ask for the right to: with retries, and a response that fits its
 * schema.
 */
import { Fault, fault, type FaultCode } from '#core'
import { parseWith, type Schema } from '#files/formats'
import { type HubResponse, type RequestOptions, retryRequest } from '../request.ts'
import { pushRefusal } from './push-refusal.ts'
import type { RepoType } from '../names.ts'
import type { HubSettings } from '../settings.ts'
import type { Body } from '../http.ts'

/** Where a push goes. */
export interface Target {
  readonly settings: HubSettings
  readonly type: RepoType
  /** `org/name`. */
  readonly name: string
  readonly signal?: AbortSignal | undefined
}

/** `<hub>/api/models/org/name/<rest>`. */
export function apiAddress({ settings, type, name }: Target, rest: string): string {
  return `${settings.endpoint}/api/${type}s/${name}/${rest}`
}

export function jsonBody(value: unknown): Body {
  return bytesBody(Buffer.from(JSON.stringify(value)))
}

export function bytesBody(bytes: Uint8Array): Body {
  return { byteLength: bytes.byteLength, pieces: () => [bytes] }
}

/** Requests until the response is a success, and reads it; throws the faults of `pushRefusal` and of the network. */
export async function requestOk<T>(
  { settings, signal }: Target,
  address: string,
  options: RequestOptions,
  place: string,
  read: (response: HubResponse) => Promise<T>,
): Promise<T> {
  return retryRequest(settings, address, { ...options, signal: options.signal ?? signal }, async (response) => {
    if (response.status < 200 || response.status > 299) throw await pushRefusal(settings, response, place)
    return read(response)
  })
}

/** The same for JSON; throws `hub.server` when it does not match the schema. */
export async function requestJson<S extends Schema>(
  target: Target,
  address: string,
  options: RequestOptions,
  schema: S,
  place: string,
): Promise<ReturnType<S['parse']>> {
  return readAnswer(schema, await requestOk(target, address, options, place, (response) => response.text()), place)
}

/** An answer's JSON; throws `hub.server` when it does not match the schema. */
export function readAnswer<S extends Schema>(schema: S, text: string, place: string): ReturnType<S['parse']> {
  const code: FaultCode = 'hub.server'
  try {
    return parseWith(schema, text, 'json', place, { code }) as ReturnType<S['parse']>
  } catch (error) {
    if (!(error instanceof Fault) || error.code === code) throw error
    const hint = 'check HF_ENDPOINT, and for a proxy or login page in between'
    throw fault(code, { place, what: 'the answer is not that of a hub', seen: text.slice(0, 80), hint, cause: error })
  }
}

export const jsonHeaders = { 'content-type': 'application/json' }
export const lfsHeaders = { accept: 'application/vnd.git-lfs+json', 'content-type': 'application/vnd.git-lfs+json' }
