/**
 * An ONNX graph with its weights as a file, tensor by tensor; where one message cannot hold them, the weights go into a
 * file next to it.
 */
import { join } from 'node:path'
import { type OnProgress, type TensorSource } from '#core'
import { createWholeFile, type WholeFile } from '#platform/disk'
import { type ModelMessage, modelPieces } from '#platform/onnx'

export interface OnnxFileOptions {
  /** Largest file with the weights inside. */
  limit?: number | undefined
  onProgress?: OnProgress | undefined
  signal?: AbortSignal | undefined
}

/** Protobuf messages end at 2 GiB; some readers count lengths with a sign. */
const messageLimit = 2_000_000_000
/** Tensors in a file of their own begin at multiples of it, so that a reader may map them. */
const alignment = 4096

/**
 * Writes `<folder>/model.onnx`, and `model.onnx_data` next to it where needed; returns the names of the files. Throws
 * `file.write`, and what reading the source throws.
 */
export async function writeOnnx(
  folder: string,
  message: ModelMessage,
  tensors: TensorSource,
  options: OnnxFileOptions = {},
): Promise<string[]> {
  const { limit = messageLimit, onProgress, signal } = options
  const lengths = new Map(
    message.initializers.flatMap(({ name, data }) =>
      data instanceof Uint8Array ? [] : [[name, tensors.info(name)?.byteLength ?? 0] as const],
    ),
  )
  const total = [...lengths.values()].reduce((sum, length) => sum + length, 0)
  let done = 0
  const put = async (file: WholeFile, name: string, at?: number): Promise<void> => {
    signal?.throwIfAborted()
    const bytes = await tensors.read(name)
    await file.write(bytes, at)
    done += bytes.length
    onProgress?.({ stage: 'write', done, total, unit: 'bytes' })
  }

  const whole = modelPieces(message, lengths)
  if (whole.byteLength <= limit) {
    await written(join(folder, 'model.onnx'), async (file) => {
      for (const piece of whole.pieces) await ('tensor' in piece ? put(file, piece.tensor) : file.write(piece))
    })
    return ['model.onnx']
  }

  const location = 'model.onnx_data'
  const places = new Map<string, number>()
  let end = 0
  for (const [name, length] of lengths) {
    places.set(name, end)
    end = Math.ceil((end + length) / alignment) * alignment
  }
  await written(join(folder, location), async (file) => {
    for (const [name, offset] of places) await put(file, name, offset)
  })
  const initializers = message.initializers.map((initializer) => {
    const offset = places.get(initializer.name)
    return offset === undefined
      ? initializer
      : { ...initializer, data: { location, offset, byteLength: lengths.get(initializer.name) ?? 0 } }
  })
  await written(join(folder, 'model.onnx'), async (file) => {
    for (const piece of modelPieces({ ...message, initializers }, new Map()).pieces)
      if (piece instanceof Uint8Array) await file.write(piece)
  })
  return ['model.onnx', location]
}

async function written(path: string, write: (file: WholeFile) => Promise<void>): Promise<void> {
  const file = await createWholeFile(path)
  try {
    await write(file)
    await file.commit()
  } catch (error) {
    await file.abort()
    throw error
  }
}
