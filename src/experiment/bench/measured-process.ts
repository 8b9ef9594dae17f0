/** A model in a process of its own, so that peaks of memory and caches do not mix. */
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { asFault, type Fault, fault, type FaultCode, type FaultParts } from '#core'
import { compiledSibling } from '#platform/threads'
import type { Measurable } from './measure-speed.ts'
import type { MeasuredRequest } from './open-measured.ts'
import type { Opened, Round } from './speed.ts'

export type Question =
  | { readonly kind: 'open'; readonly request: MeasuredRequest }
  | { readonly kind: 'round'; readonly batch: number }
  | { readonly kind: 'close' }

/** Faults cross processes as their code and parts. */
export type Answer =
  | { readonly value: unknown }
  | { readonly notice: string }
  | { readonly code: FaultCode; readonly parts: FaultParts }

interface StartOptions {
  readonly signal?: AbortSignal | undefined
  readonly onNotice?: ((line: string) => void) | undefined
}

/** Starts the process; nothing is opened yet. Its calls throw what the model throws, `engine.run` when it ends early. */
export function startMeasured(request: MeasuredRequest, { signal, onNotice }: StartOptions = {}): Measurable {
  const place = request.reference
  // Flags of the parent (test runners, inspectors) are not for the child.
  const child = fork(fileURLToPath(compiledSibling(import.meta.url, 'measured-process-main')), [], {
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let said = ''
  let end: Fault | undefined
  let waiting: { resolve: (value: unknown) => void; reject: (reason: unknown) => void } | undefined
  const settle = (): typeof waiting => {
    const asker = waiting
    waiting = undefined
    return asker
  }
  const refuse = (reason: Fault): void => {
    end ??= reason
    settle()?.reject(signal?.aborted === true ? signal.reason : end)
  }
  const stop = (): void => void child.kill('SIGKILL')
  signal?.addEventListener('abort', stop, { once: true })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-8_000)))
  child.on('message', (answer: Answer) => {
    if ('notice' in answer) onNotice?.(answer.notice)
    else if ('code' in answer) settle()?.reject(fault(answer.code, answer.parts))
    else settle()?.resolve(answer.value)
  })
  child.on('error', (error) => refuse(asFault(error, 'engine.run', place)))
  // `close`, not `exit`: by then everything it said has arrived
  child.on('close', (code, kill) => {
    signal?.removeEventListener('abort', stop)
    refuse(
      fault('engine.run', {
        place,
        what: 'the process that is measured ended',
        seen: said.trim().split('\n').at(-1) || (kill ?? `code ${code ?? 0}`),
        hint: 'if memory ran out, use smaller batches',
      }),
    )
  })
  const ask = (question: Question): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (end !== undefined) return reject(end)
      waiting = { resolve, reject }
      child.send(question, (error) => {
        if (error !== null) refuse(asFault(error, 'engine.run', place))
      })
    })
  return {
    open: async () => (await ask({ kind: 'open', request })) as Opened,
    round: async (batch) => (await ask({ kind: 'round', batch })) as Round,
    async close() {
      const peakBytes = (await ask({ kind: 'close' })) as number
      child.disconnect()
      return peakBytes
    },
    stop,
  }
}
