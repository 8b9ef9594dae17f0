/** One file's tensors as a source. */
import { fault, fingerprint, type TensorSource } from '#core'
import type { ByteFile } from './byte-file.ts'
import { readView, viewOffset, type Region, type TensorView } from './tensor-view.ts'

/** The source over `file`; closing it closes the file. */
export function viewSource(file: ByteFile, views: readonly TensorView[]): TensorSource {
  const byName = new Map(views.map((view) => [view.info.name, view]))
  const names = [...byName.keys()]
  return {
    name: file.path,
    names: () => names,
    info: (name) => byName.get(name)?.info,
    async read(name) {
      const view = byName.get(name)
      if (!view) throw missingTensor(file.path, name)
      return readView(view)
    },
    locate(name) {
      const view = byName.get(name)
      const offset = view && viewOffset(view)
      return offset === undefined || view === undefined
        ? undefined
        : { path: file.realPath, offset, byteLength: view.info.byteLength }
    },
    async identity() {
      return fingerprint({
        tensors: views.map(({ info }) => [info.name, info.dtype, info.shape]),
        bytes: await file.contentHash(),
      })
    },
    close: () => file.close(),
  }
}

export function missingTensor(place: string, name: string): Error {
  return fault('tensor.missing', { place, what: `no tensor named ${name}` })
}

/** Bytes that lie in the file as they are. */
export function fileRegion(file: ByteFile, offset: number, byteLength: number): Region {
  return { byteLength, offset, load: (start, end) => file.read(offset + start, end - start) }
}

/** Bytes made while reading. */
export function memoryRegion(bytes: Uint8Array): Region {
  return {
    byteLength: bytes.byteLength,
    offset: undefined,
    load: async (start, end) => new Uint8Array(bytes.subarray(start, end)),
  }
}
