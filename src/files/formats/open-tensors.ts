/** One file of any kind, recognised by its first bytes; the extension only breaks ties. */
import { extname } from 'node:path'
import { fault, type FaultCode, type TensorSource } from '#core'
import { openByteFile, type ByteFile } from './byte-file.ts'
import { readGguf } from './gguf.ts'
import { MAGIC, openNpy } from './npy.ts'
import { openNpz } from './npz.ts'
import { openPickle } from './pickle-file.ts'
import { openSafetensors } from './safetensors.ts'
import { foreignFormat, refuseStandIn } from './stand-ins.ts'
import { isTorchZip, openTorchZip } from './torch-zip.ts'
import { readZip } from './zip.ts'

export interface OpenTensorsOptions {
  /**
   * What to call the file in messages, when the path says little (a blob of the hub's cache); its extension is the
   * hint.
   */
  name?: string | undefined
}

/**
 * Opens a local file of tensors – safetensors, torch (zip and the older stream), GGUF, npy, npz, pickled NumPy arrays – and
 * reads its headers only; nothing in the file is executed. The one array of an npy file, or of a pickle that holds just
 * one, is named `array`; npz arrays have their own names. Close the source when it is no longer needed. Throws
 * `file.missing`, `format.*` for bytes that are not what they claim to be, `tensor.*`.
 *
 * @example
 * ```ts
 * import { openTensors } from 'strata-lm/formats'
 *
 * const tensors = await openTensors('assets/golden/bert/model.safetensors')
 * console.log(tensors.info('embeddings.word_embeddings.weight')?.shape) // → [ 97, 48 ]
 * await tensors.close()
 * ```
 */
export async function openTensors(path: string, { name = path }: OpenTensorsOptions = {}): Promise<TensorSource> {
  const file = await openByteFile(path, name)
  try {
    return await openKind(file)
  } catch (error) {
    await file.close()
    throw error
  }
}

async function openKind(file: ByteFile): Promise<TensorSource> {
  const head = await file.read(0, Math.min(file.size, HEAD_BYTES))
  const extension = extname(file.path).toLowerCase()
  refuseStandIn(head, file.path)
  if (isSafetensors(head, file.size)) return openSafetensors(file)
  if (MAGIC.equals(head.subarray(0, MAGIC.length))) return openNpy(file)
  if (head[0] === 0x50 && head[1] === 0x4b) return openZip(file, extension)
  if (Buffer.from(head.subarray(0, 4)).toString('latin1') === 'GGUF') return (await readGguf(file)).tensors
  // A false header length may begin like a pickle: there the name decides.
  if (extension === '.safetensors') return openSafetensors(file)
  if (head[0] === PICKLE_MARK) return openPickle(file)
  const foreign = foreignFormat(head)
  const what = foreign ? `${foreign} files are not read` : 'not a tensor file'
  throw fault(codes.get(extension) ?? 'format.unknown', {
    place: file.path,
    what: file.size === 0 ? 'file is empty' : what,
    wanted: 'safetensors, torch (.bin, .pt), GGUF, .npy, .npz or a pickled numpy array',
  })
}

async function openZip(file: ByteFile, extension: string): Promise<TensorSource> {
  const entries = await readZip(file)
  if (isTorchZip(entries)) return openTorchZip(file, entries)
  if (extension === '.npz' || [...entries.keys()].some((name) => name.endsWith('.npy'))) return openNpz(file, entries)
  throw fault('format.zip', {
    place: file.path,
    what: 'neither a torch nor a numpy archive',
    seen: [...entries.keys()].slice(0, 5).join(', '),
  })
}

const HEAD_BYTES = 512
/** PROTO: the first opcode of every pickle since protocol 2. */
const PICKLE_MARK = 0x80

const codes = new Map<string, FaultCode>([
  ['.bin', 'format.pickle'],
  ['.pt', 'format.pickle'],
  ['.pth', 'format.pickle'],
  ['.ckpt', 'format.pickle'],
  ['.pkl', 'format.pickle'],
  ['.npy', 'format.npy'],
  ['.gguf', 'format.gguf'],
  ['.npz', 'format.zip'],
])

/** A plausible length and an opening brace: no other kind begins so. */
function isSafetensors(head: Uint8Array, size: number): boolean {
  if (head.length < 9 || head[8] !== 0x7b) return false
  return new DataView(head.buffer).getBigUint64(0, true) <= BigInt(size - 8)
}
