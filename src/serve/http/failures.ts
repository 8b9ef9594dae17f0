/** Faults as answers of a server: status and body, in the words of the interface that was asked. */
import { Fault, type FaultCode } from '#core'
import type { Dialect } from './route.ts'

/** What may go wrong before a route is reached. */
export type Refusal = 'key' | 'host' | 'origin' | 'type' | 'encoding' | 'size' | 'busy' | 'path' | 'method' | 'stopping'

export const refusals = {
  key: { status: 401, message: 'the key is missing or wrong: send it as Authorization: Bearer KEY' },
  host: { status: 403, message: 'the server does not answer under this host name' },
  origin: { status: 403, message: 'the server does not answer pages of this origin: name it with --cors' },
  type: { status: 415, message: 'the body must be application/json in UTF-8' },
  encoding: { status: 415, message: 'the body must not be compressed' },
  size: { status: 413, message: 'the body is too large' },
  busy: { status: 429, message: 'the queue is full: try again later' },
  path: { status: 404, message: 'no such address: /openapi.json lists them' },
  method: { status: 405, message: 'the address does not take this method: /openapi.json lists them' },
  stopping: { status: 503, message: 'the server is stopping' },
} as const satisfies Record<Refusal, { status: number; message: string }>

/** A client that is at fault, or this program. 499: the client has gone, and nobody reads the answer. */
export function toStatus(code: FaultCode): 400 | 404 | 499 | 500 {
  if (code === 'hub.missing') return 404
  if (code === 'run.cancelled') return 499
  return clientFaults.some((start) => code.startsWith(start)) ? 400 : 500
}

const clientFaults = [
  'usage.',
  'format.',
  'representation.',
  'tokenizer.',
  'tensor.value',
  'config.unsupported',
  'chat.',
]

export function faultBody(seen: Fault, dialect: Dialect): object {
  const { code, message, hint } = inFields(seen)
  const status = toStatus(code)
  // what went wrong inside may name files of this machine
  if (status === 500) return errorBody({ message: 'the server failed: its own output says how', code, status }, dialect)
  const text = hint === undefined ? message : `${message} (${hint})`
  return errorBody({ message: text, code, status }, dialect)
}

/** A flag's name as the field of a request: `--prompt-name` is `prompt_name`. */
function inFields(seen: Fault): Fault {
  const { place } = seen.parts
  if (!place.startsWith('--')) return seen
  const [flag = '', ...behind] = place.slice(2).split(' ')
  return new Fault(seen.code, { ...seen.parts, place: [flag.replaceAll('-', '_'), ...behind].join(' ') })
}

export function refusalBody(refusal: Refusal, dialect: Dialect): object {
  const { status, message } = refusals[refusal]
  return errorBody({ message, code: refusal, status }, dialect)
}

function errorBody(
  { message, code, status }: { readonly message: string; readonly code: string; readonly status: number },
  dialect: Dialect,
): object {
  switch (dialect) {
    case 'openai': {
      const type = status < 500 ? 'invalid_request_error' : 'server_error'
      return { error: { message, type, param: null, code } }
    }
    case 'tei': {
      const byStatus: Readonly<Record<number, string>> = { 429: 'overloaded', 500: 'backend', 503: 'unhealthy' }
      return { error: message, error_type: byStatus[status] ?? 'validation' }
    }
    default:
      return dialect satisfies never
  }
}
