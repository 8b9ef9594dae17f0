/** npz: a zip of npy files, stored or deflated; an array is named as its entry without `.npy`. */
import { fault, type TensorSource } from '#core'
import type { ByteFile } from './byte-file.ts'
import { npyView } from './npy.ts'
import type { TensorView } from './tensor-view.ts'
import { viewSource } from './view-source.ts'
import { entryRegion } from './zip-region.ts'
import type { ZipEntry } from './zip.ts'

/** Reads the headers of all arrays; members that are not `.npy` are left alone, as in numpy. */
export async function openNpz(file: ByteFile, entries: ReadonlyMap<string, ZipEntry>): Promise<TensorSource> {
  const views: TensorView[] = []
  for (const [name, entry] of entries) {
    if (!name.endsWith('.npy')) continue
    views.push(await npyView(name.slice(0, -'.npy'.length), await entryRegion(file, entry), `${file.path}: ${name}`))
  }
  if (views.length === 0)
    throw fault('format.npy', {
      place: file.path,
      what: 'no array in the archive',
      seen: [...entries.keys()].slice(0, 5).join(', '),
    })
  return viewSource(file, views)
}
