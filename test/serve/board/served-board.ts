/** A board on a free port, for as long as a test file runs. */
import { afterAll } from 'vitest'
import { serveBoard, type ServeBoardOptions } from '#serve/board'

export interface ServedBoard {
  readonly address: string
  readonly post: (
    path: string,
    body: object,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<[number, { html: string }]>
  readonly stop: () => Promise<void>
}

export async function servedBoard(
  folders: readonly string[],
  options: Partial<ServeBoardOptions> = {},
): Promise<ServedBoard> {
  const controller = new AbortController()
  let ended = Promise.resolve()
  const address = await new Promise<string>((resolve, reject) => {
    const given = { port: 0, interval: 50, signal: controller.signal, onOpen: resolve, ...options }
    ended = serveBoard(folders, given)
    ended.catch(reject)
  })
  const stop = async (): Promise<void> => {
    controller.abort()
    await ended
  }
  afterAll(stop)
  return {
    address,
    stop,
    post: async (path, body, headers) => {
      const response = await fetch(address + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      })
      return [response.status, (await response.json()) as { html: string }]
    },
  }
}

interface NoticeSeen {
  readonly board: string
  readonly version: number
  readonly isWhole: boolean
  readonly sections: readonly { readonly id: string; readonly hash: string }[]
}

/** Notices as they come; leaving the loop closes the connection. */
export async function* noticesOf(address: string, headers: Record<string, string> = {}): AsyncGenerator<NoticeSeen> {
  const gone = new AbortController()
  try {
    const response = await fetch(`${address}/events`, { headers, signal: gone.signal })
    let rest = ''
    for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const events = (rest + piece).split('\n\n')
      rest = events.pop() ?? ''
      for (const event of events) {
        const data = event.replace(/^data: /, '')
        const value = (data === '[DONE]' ? {} : JSON.parse(data)) as NoticeSeen | object
        if ('sections' in value) yield value
      }
    }
  } finally {
    gone.abort()
  }
}
