/**
 * Any tensor source onto the disk, in the way merges are written: resumed after an interruption, hashed, never half
 * there.
 */
import { fault, type ModelHeaders } from '#core'
import { planCopies } from '../plan/plan-copies.ts'
import { type WriteOptions, writeTensors, type WrittenTensors } from './write-tensors.ts'

/**
 * `madeOf`: the models behind the source, whose files are hashed too. Throws what reading the source throws, and as
 * `writeTensors`.
 */
export async function writeSource(
  source: ModelHeaders,
  madeOf: readonly ModelHeaders[],
  folder: string,
  options: WriteOptions = {},
): Promise<WrittenTensors> {
  const [written] = await writeTensors(
    [{ plan: planCopies(source), sources: [source, ...madeOf].map(({ tensors }) => tensors), folder }],
    options,
  )
  if (written === undefined) throw fault('internal', { place: folder, what: 'nothing was written' })
  return written
}
