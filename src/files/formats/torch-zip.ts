/** torch.save since 1.6: a zip with `<folder>/data.pkl` and one stored entry `<folder>/data/<key>` for each storage. */
import { dtypeBytes, fault, type TensorSource } from '#core'
import type { ByteFile } from './byte-file.ts'
import { arrayView, namedTensors } from './named-tensors.ts'
import { pickleInput } from './pickle-input.ts'
import type { PickledStorage } from './pickle-values.ts'
import { tensorView, type Region, type TensorView } from './tensor-view.ts'
import { storageReference, torchGlobals } from './torch-globals.ts'
import { unpickle } from './unpickle.ts'
import { fileRegion, viewSource } from './view-source.ts'
import { entryOffset, type ZipEntry } from './zip.ts'

/** Reads the pickle and the headers of the entries it names. Faults: `format.pickle`, `format.zip`, `tensor.shape`. */
export async function openTorchZip(file: ByteFile, entries: ReadonlyMap<string, ZipEntry>): Promise<TensorSource> {
  const folder = findFolder(entries, file.path)
  const pickle = entries.get(`${folder}data.pkl`)!
  const pickleStart = await storedOffset(file, pickle)
  const root = await unpickle(pickleInput(file, pickleStart, pickleStart + pickle.size), {
    globals: torchGlobals,
    persistent: storageReference,
  })
  const bigEndian = await isBigEndian(file, entries.get(`${folder}byteorder`))
  const offsets = new Map<string, number>()
  const views: TensorView[] = []
  for (const [name, value] of namedTensors(root, file.path)) {
    if (value.kind === 'array') {
      views.push(arrayView(name, value, file.path))
      continue
    }
    const { storage, dtype, start, shape, strides } = value
    const region = await storageRegion(file, entries.get(`${folder}data/${storage.key}`), storage, offsets)
    views.push(tensorView({ name, dtype, shape, strides, start, region, bigEndian }, file.path))
  }
  return viewSource(file, views)
}

export function isTorchZip(entries: ReadonlyMap<string, ZipEntry>): boolean {
  return [...entries.keys()].some((name) => PICKLE.test(name))
}

/** torch writes one folder; names from the root are what old exporters wrote. */
const PICKLE = /^(?:[^/]+\/)?data\.pkl$/

function findFolder(entries: ReadonlyMap<string, ZipEntry>, place: string): string {
  const pickles = [...entries.keys()].filter((name) => PICKLE.test(name))
  const [name, second] = pickles
  if (name === undefined || second !== undefined)
    throw fault('format.zip', { place, what: 'not one data.pkl', seen: pickles.slice(0, 4).join(', ') })
  const folder = name.slice(0, -'data.pkl'.length)
  if (entries.has(`${folder}constants.pkl`)) {
    throw fault('format.pickle', {
      place,
      what: 'a TorchScript program, not weights',
      hint: 'save its state_dict() with torch.save or safetensors',
    })
  }
  return folder
}

/** torch never compresses: bytes lie in the file as they are. */
async function storedOffset(file: ByteFile, entry: ZipEntry): Promise<number> {
  if (entry.method !== 'stored')
    throw fault('format.zip', {
      place: `${file.path}: ${entry.name}`,
      what: 'compressed entry in a torch archive',
      hint: 'torch stores them: the file was packed by another program',
    })
  return entryOffset(file, entry)
}

async function storageRegion(
  file: ByteFile,
  entry: ZipEntry | undefined,
  { key, dtype, count, start }: PickledStorage,
  offsets: Map<string, number>,
): Promise<Region> {
  const place = `${file.path}: storage ${key}`
  if (!entry) throw fault('format.pickle', { place, what: 'storage is not in the archive' })
  const byteLength = count * dtypeBytes(dtype)
  if (byteLength > entry.size)
    throw fault('format.pickle', {
      place,
      what: 'storage is shorter than declared',
      seen: entry.size,
      wanted: byteLength,
    })
  const offset = offsets.get(key) ?? (await storedOffset(file, entry))
  offsets.set(key, offset)
  const skipped = start * dtypeBytes(dtype)
  return fileRegion(file, offset + skipped, byteLength - skipped)
}

async function isBigEndian(file: ByteFile, entry: ZipEntry | undefined): Promise<boolean> {
  if (!entry) return false
  const offset = await storedOffset(file, entry)
  const word = Buffer.from(await file.read(offset, Math.min(entry.size, 16))).toString('latin1')
  if (word !== 'little' && word !== 'big')
    throw fault('format.pickle', { place: `${file.path}: ${entry.name}`, what: 'unknown byte order', seen: word })
  return word === 'big'
}
