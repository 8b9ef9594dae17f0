/** Questions that change something on the hub, or ask for the right to: with patience, and an answer that fits its schema. */
import { Fault, fault, type FaultCode } from '#core'
import { parseWith, type Schema } from '#files/formats'
import { ask, type Answer, type Question } from '../ask.ts'
import { persist } from '../persist.ts'
import { pushRefusal } from './push-refusal.ts'
import type { RepoType } from '../names.ts'
import type { HubSettings } from '../settings.ts'
import type { Body } from '../wire.ts'

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

/** Asks until there is an answer that is a success; throws the faults of `pushRefusal` and of the network. */
export async function askPatiently({ settings, signal }: Target, address: string, question: Question, place: string): Promise<Answer> {
  return persist(
    async () => {
      const answer = await ask(settings, address, { ...question, signal: question.signal ?? signal })
      if (answer.status < 200 || answer.status > 299) throw await pushRefusal(settings, answer, place)
      return answer
    },
    { patience: settings.patience, signal: question.signal ?? signal },
  )
}

/** The same for an answer in JSON; throws `hub.server` when it is not what was agreed. */
export async function askJson<S extends Schema>(
  target: Target,
  address: string,
  question: Question,
  schema: S,
  place: string,
): Promise<ReturnType<S['parse']>> {
  const { settings, signal } = target
  const text = await persist(
    async () => {
      const answer = await ask(settings, address, { ...question, signal: question.signal ?? signal })
      if (answer.status < 200 || answer.status > 299) throw await pushRefusal(settings, answer, place)
      return answer.text()
    },
    { patience: settings.patience, signal: question.signal ?? signal },
  )
  return readAnswer(schema, text, place)
}

/** An answer's JSON; throws `hub.server` when it is not what was agreed. */
export function readAnswer<S extends Schema>(schema: S, text: string, place: string): ReturnType<S['parse']> {
  const code: FaultCode = 'hub.server'
  try {
    return parseWith(schema, text, 'json', place, { code }) as ReturnType<S['parse']>
  } catch (error) {
    if (!(error instanceof Fault) || error.code === code) throw error
    const hint = 'check HF_ENDPOINT and whether a proxy or login page stands between'
    throw fault(code, { place, what: 'the answer is not that of a hub', seen: text.slice(0, 80), hint, cause: error })
  }
}

export const jsonHeaders = { 'content-type': 'application/json' }
export const lfsHeaders = { accept: 'application/vnd.git-lfs+json', 'content-type': 'application/vnd.git-lfs+json' }
