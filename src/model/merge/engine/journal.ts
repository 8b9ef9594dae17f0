/** The list of finished tensors, next to the files they lie in: an interrupted merge need not compute these again. */
import { constants, open, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { byteText, fault } from '#core'
import {
  checksum,
  journalName,
  makeFolder,
  openJournal as openLines,
  orWriteFault,
  readAt,
  readJournal,
  systemCode,
  writeAt,
  writeFault,
} from '#platform/disk'
import type { OutputLayout, PlacedTensor } from '../plan/layout.ts'
import type { TensorOutcome } from './run-tensor.ts'

export interface Journal {
  readonly finished: ReadonlyMap<string, TensorOutcome>
  add(outcome: TensorOutcome): Promise<void>
}

/**
 * Makes the layout's files below `folder` and opens the journal there. A journal of the same merge is continued, each
 * tensor it names checked by its checksum; any other is started anew. `promised`: bytes of the disk that others are
 * about to fill. Throws `file.write`; a lack of room for the whole layout is found before the first byte.
 */
export async function openJournal(
  folder: string,
  layout: OutputLayout,
  identity: string,
  { promised = 0 }: { promised?: number } = {},
): Promise<Journal> {
  await makeFolder(folder, folder)
  const path = join(folder, journalName)
  const kind = { name: 'merge', work: identity, isPiece: isOutcome }
  const known = await readJournal(path, kind)
  if (known === undefined) {
    await orWriteFault(rm(path, { force: true }), path)
    await checkRoom(folder, layout.totalBytes + promised)
  }
  const lines = await openLines(path, kind, { held: true })
  // Headers and sizes again after an interruption too: whatever happened to the files, what the journal says is checked
  // below.
  await makeFiles(folder, layout)
  const recorded = new Map((known ?? []).map((outcome) => [outcome.name, outcome]))
  const finished = new Map<string, TensorOutcome>()
  for (const shard of known === undefined ? [] : layout.shards) {
    for (const tensor of shard.tensors) {
      const outcome = recorded.get(tensor.name)
      if (outcome !== undefined && (await checksumAt(join(folder, shard.file), tensor)) === outcome.checksum)
        finished.set(tensor.name, outcome)
    }
  }
  return { finished, add: (outcome) => lines.add([outcome]) }
}

function isOutcome(value: unknown): value is TensorOutcome {
  return typeof value === 'object' && value !== null && 'name' in value && 'checksum' in value
}

async function checkRoom(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize >= bytes) return
  throw fault('file.write', {
    place: folder,
    what: 'there is not enough room on the disk',
    seen: `${byteText(bavail * bsize)} free`,
    wanted: byteText(bytes),
  })
}

async function makeFiles(folder: string, { shards }: OutputLayout): Promise<void> {
  for (const { file, header, byteLength } of shards) {
    const handle = await orWriteFault(open(join(folder, file), constants.O_RDWR | constants.O_CREAT), file)
    try {
      await writeAt(handle, header, 0, file)
      await handle.truncate(byteLength).catch((error: unknown) => {
        throw writeFault(error, file, systemCode(error) === 'EFBIG' ? { hint: tooLarge } : {})
      })
    } finally {
      await handle.close()
    }
  }
}

const tooLarge = 'the file is larger than this file system or account may hold: smaller files by --out-shard-size'

async function checksumAt(path: string, { offset, byteLength }: PlacedTensor): Promise<string | undefined> {
  try {
    const file = await open(path, 'r')
    try {
      const sum = checksum()
      const step = 2 ** 24
      for (let at = 0; at < byteLength; at += step)
        sum.update(await readAt(file, offset + at, Math.min(step, byteLength - at), path))
      return sum.digest()
    } finally {
      await file.close()
    }
  } catch {
    return undefined
  }
}
