/** A merge that was interrupted: nobody should mistake its folder for a model. */
import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** How the files of an unfinished merge begin. A data set may hold files of these names too. */
const marks = { 'journal.jsonl': '{"merge":', '.unfinished': 'unfinished output' }

/**
 * Whether a folder is the work of a merge that has not been finished, or will be made by one: until then a merge lies
 * next to its final name.
 */
export async function isUnfinishedMerge(folder: string): Promise<boolean> {
  const there = await stat(folder).then(
    () => true,
    () => false,
  )
  const work = there ? folder : `${folder.replace(/\/+$/, '')}.partial`
  for (const [name, beginning] of Object.entries(marks)) {
    const file = await open(join(work, name), 'r').catch(() => undefined)
    if (file === undefined) continue
    try {
      const { buffer } = await file.read(Buffer.alloc(beginning.length), 0, beginning.length, 0)
      if (buffer.toString('latin1') === beginning) return true
    } catch {
      // a folder of that name
    } finally {
      await file.close()
    }
  }
  return false
}
