/**
 * Writes one block: header, then slot after slot as its rows come, so that memory is bounded by the pieces handed in.
 */
import { join } from 'node:path'
import { fault } from '#core'
import { blockName, bytesOf, encodeHeader, rowCheck, type Slot } from './block.ts'
import { writeFile } from './disk.ts'
import { keyCount } from './keys.ts'

interface BlockContent {
  /** Ascending, each once. */
  readonly keys: Uint32Array
  /**
   * Values of a slot, in row order, in pieces of whole rows [any × width]. A piece is done with before the next is
   * asked for.
   */
  readonly values: (slot: number) => Iterable<Float32Array> | AsyncIterable<Float32Array>
}

/** Durable when it returns. Returns the block's name. Throws `file.write`; a block that fails leaves nothing behind. */
export async function writeBlock(
  folder: string,
  space: string,
  slots: readonly Slot[],
  { keys, values }: BlockContent,
): Promise<string> {
  const name = blockName(space, keys)
  const rows = keyCount(keys)
  await writeFile(join(folder, name), async (file) => {
    await file.write(encodeHeader(space, slots, keys))
    for (const [slot, { width }] of slots.entries()) {
      const checks = new Uint32Array(rows)
      let row = 0
      for await (const piece of values(slot)) {
        const bytes = bytesOf(piece)
        for (let at = 0; at < bytes.length; at += width * 4)
          checks[row] = rowCheck(bytes.subarray(at, at + width * 4), keys, row++, slot)
        await file.write(bytes)
      }
      if (row !== rows)
        throw fault('internal', {
          place: 'vector cache',
          what: 'a slot has a different number of rows than the block',
          seen: row,
          wanted: rows,
        })
      await file.write(bytesOf(checks))
    }
  })
  return name
}
