/** The body of a request: whether it is of a kind that is read, and its text. */
import type { Context } from 'hono'
import { fault } from '#core'
import { decodeUtf8 } from '#files/formats'
import type { Refusal } from './failures.ts'

/** JSON in UTF-8, and not compressed. */
export function bodyRefusal(c: Context): Refusal | undefined {
  const [type, ...parameters] = (c.req.header('content-type') ?? '').split(';').map((part) => part.trim().toLowerCase())
  const others = parameters.filter((one) => one.startsWith('charset=') && !/^charset="?utf-8"?$/.test(one))
  if (type !== 'application/json' || others.length > 0) return 'type'
  const encoding = c.req.header('content-encoding')?.trim().toLowerCase() ?? 'identity'
  return encoding === 'identity' ? undefined : 'encoding'
}

/** Undefined beyond `most` bytes. Throws `run.cancelled` when the client goes first, `format.json` for other than UTF-8. */
export async function bodyText(c: Context, most: number): Promise<string | undefined> {
  const bytes = await bodyBytes(c, most)
  return bytes === undefined ? undefined : decodeUtf8(bytes, 'format.json', 'body')
}

async function bodyBytes(c: Context, most: number): Promise<Uint8Array | undefined> {
  try {
    const length = c.req.header('content-length')
    // a length next to chunks is refused before a request comes here
    if (length !== undefined) return Number(length) > most ? undefined : new Uint8Array(await c.req.arrayBuffer())
    const pieces: Uint8Array[] = []
    let size = 0
    for await (const piece of c.req.raw.body ?? []) {
      size += piece.length
      if (size > most) return undefined
      pieces.push(piece)
    }
    return Buffer.concat(pieces)
  } catch (cause) {
    throw fault('run.cancelled', { place: 'body', what: 'the client has gone before its end', cause })
  }
}
