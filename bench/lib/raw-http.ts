/** HTTP by the socket: bytes that no client would send, and the statuses that come back. */
import { connect } from 'node:net'

export interface Exchange {
  /** The statuses of all answers, in order. */
  readonly statuses: readonly number[]
  /** `closed`: by the server; `reset`: by an error of the connection; `silent`: nothing ended it in time. */
  readonly end: 'closed' | 'reset' | 'silent'
  readonly text: string
}

/**
 * Sends the pieces, waits for that number of answers, ends its side, and reads until the server ends its own. A client that
 * ends its side at once has gone, and may get nothing.
 */
export function exchange(
  port: number,
  pieces: readonly Uint8Array[],
  { answers, milliseconds = 20_000 }: { answers: number; milliseconds?: number },
): Promise<Exchange> {
  return new Promise((resolve) => {
    const seen: Buffer[] = []
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    const over = (end: Exchange['end']): void => {
      clearTimeout(timer)
      socket.destroy()
      const bytes = Buffer.concat(seen)
      resolve({ statuses: statusesIn(bytes), end, text: bytes.toString('latin1') })
    }
    const timer = setTimeout(() => over('silent'), milliseconds)
    socket.on('data', (piece) => {
      seen.push(piece)
      if (statusesIn(Buffer.concat(seen)).length >= answers) socket.end()
    })
    socket.on('end', () => over('closed'))
    socket.on('error', () => over('reset'))
    socket.on('close', () => over('closed'))
    socket.setNoDelay(true)
    for (const piece of pieces) socket.write(piece)
    if (answers === 0) socket.end()
  })
}

/** Of answers that are there to their end, one after the other; NaN: no HTTP. */
function statusesIn(bytes: Buffer): number[] {
  const statuses: number[] = []
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf('\r\n\r\n', at)
    const head = bytes.subarray(at, end < 0 ? bytes.length : end).toString('latin1')
    const status = /^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]
    if (status === undefined) return [...statuses, NaN]
    if (end < 0) return statuses
    if (/^transfer-encoding: chunked/im.test(head)) at = afterChunks(bytes, end + 4)
    else at = end + 4 + Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0)
    if (at > bytes.length) return statuses
    statuses.push(Number(status))
  }
  return statuses
}

function afterChunks(bytes: Buffer, from: number): number {
  for (let at = from; ;) {
    const line = bytes.indexOf('\r\n', at)
    const size = Number.parseInt(bytes.subarray(at, line).toString('latin1'), 16)
    if (line < 0) return Infinity
    if (size === 0) return line + 4
    at = line + 2 + size + 2
  }
}
