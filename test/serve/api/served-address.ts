/** A server of models of the repository on a free port, for as long as a test file runs. */
import { afterAll } from 'vitest'
import { openModel, type OpenModelOptions } from '#experiment/open'
import type { Model } from '#model/checkpoint'
import { type ServeOptions, serveUntil } from '#serve/api'

export interface ServedAddress {
  readonly address: string
  readonly models: readonly Model[]
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Answered>
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Answered>
  /** Stops the server and waits for its end. */
  stop(): Promise<void>
}

export interface Answered {
  readonly status: number
  readonly text: string
  readonly headers: Headers
  // oxlint-disable-next-line typescript/no-explicit-any -- as a client has it
  readonly json: any
}

export async function served(
  references: readonly string[],
  options: Partial<ServeOptions> = {},
  reading: OpenModelOptions = {},
): Promise<ServedAddress> {
  const models = await Promise.all(references.map((reference) => openModel(reference, reading)))
  const controller = new AbortController()
  let ended: Promise<void> = Promise.resolve()
  const address = await new Promise<string>((resolve, reject) => {
    ended = serveUntil(models, { port: 0, signal: controller.signal, onOpen: resolve, ...options })
    ended.catch(reject)
  })
  const stop = async (): Promise<void> => {
    controller.abort()
    await ended
    await Promise.all(models.map((model) => model.close()))
  }
  let isStopped = false
  const stopOnce = async (): Promise<void> => {
    if (!isStopped) await stop()
    isStopped = true
  }
  afterAll(stopOnce)
  const answer = async (response: Response): Promise<Answered> => {
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') === true
    return {
      status: response.status,
      text,
      headers: response.headers,
      json: isJson ? (JSON.parse(text) as unknown) : undefined,
    }
  }
  return {
    address,
    models,
    stop: stopOnce,
    post: async (path, body, headers) =>
      answer(
        await fetch(address + path, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: typeof body === 'string' ? body : JSON.stringify(body),
        }),
      ),
    get: async (path, headers) => answer(await fetch(address + path, { headers: { ...headers } })),
  }
}
