/** Files of recorded vectors and their texts → a model. */
import { basename, extname } from 'node:path'
import { type Dtype, fault, type PromptType, type TensorSource } from '#core'
import { fileHash } from '#platform/disk'
import { openTensors } from '#files/formats'
import { openVectorsModel, type Model, type RecordedText } from '#model/checkpoint'
import { readBatches, readTexts } from '#files/tables'
import type { VectorType } from '#representation/layers'
import { closingOnFailure } from './open-model.ts'

export interface RecordedFiles {
  /** .npy, .npz or .safetensors with one matrix [texts × width]. */
  vectors: string
  /**
   * The texts in the order of the rows: in a column `text`, with `query` or `document` in `prompt_type` where sides
   * differ, or plain text with one text per line.
   */
  texts: string
  /** What the numbers are; needed for bytes, which may be numbers or eight bits each. */
  type?: VectorType | undefined
  signal?: AbortSignal
}

/**
 * A file of recorded vectors, with the texts they belong to, as a model that can be scored: it has the representation
 * `default` and no layers. Results carry the name `vectors/<file>` and the first twelve digits of the hash of its
 * bytes. Throws `file.missing`, `tensor.*`, `table.*`, `usage.value`.
 *
 * @example
 * ```ts
 * import { writeNpy } from 'strata-lm/formats'
 * import { encode, openVectors } from 'strata-lm/layers'
 *
 * const bytes = new Uint8Array(Float32Array.from({ length: 6 * 2 }, (_, i) => i).buffer)
 * await writeNpy('vectors.npy', { dtype: 'F32', shape: [6, 2], bytes })
 * const model = await openVectors({ vectors: 'vectors.npy', texts: 'texts.txt' })
 * const { data } = await encode(model, ['The kitten is napping.'])
 * console.log(model.name, [...data]) // → vectors/vectors [ 10, 11 ]
 * await model.close()
 * ```
 */
export async function openVectors({ vectors, texts, type, signal }: RecordedFiles): Promise<Model> {
  const tensors = await openTensors(vectors)
  return closingOnFailure(tensors, async () => {
    const chosen = typeOf(tensors, vectors, type)
    const hash = (await fileHash(vectors)).slice(0, 12)
    return openVectorsModel({
      tensors,
      texts: recordedTexts(texts, signal),
      packed: chosen === 'binary' || chosen === 'ubinary' ? chosen : undefined,
      name: `vectors/${basename(vectors, extname(vectors))}`,
      // the same bytes are other vectors by another type
      revision: chosen === undefined ? hash : `${hash}-${chosen}`,
      place: texts,
    })
  })
}

/** By the type of a tensor's numbers, the types that its vectors may have. */
const possible: Partial<Record<Dtype, readonly VectorType[]>> = {
  F32: ['float32'],
  F16: ['float16'],
  I8: ['int8', 'binary'],
  U8: ['uint8', 'ubinary'],
}

/** Undefined for numbers that are scored as they are. Throws `usage.value` for bytes of which nobody says what they are. */
function typeOf(tensors: TensorSource, path: string, asked: VectorType | undefined): VectorType | undefined {
  const matrices = tensors
    .names()
    .flatMap((name) => tensors.info(name) ?? [])
    .filter(({ shape }) => shape.length === 2)
  const dtypes = new Set(matrices.map(({ dtype }) => dtype))
  const [dtype, ...more] = dtypes
  const types = dtype === undefined || more.length > 0 ? undefined : possible[dtype]
  if (asked === undefined && (types === undefined || types.length === 1)) return undefined
  if (asked !== undefined && types?.includes(asked) === true) return types.length === 1 ? undefined : asked
  throw fault('usage.value', {
    place: path,
    what: asked === undefined ? 'a byte is a number, or eight bits' : 'the file holds numbers of another type',
    seen: asked === undefined ? dtype : `${asked}, in a file of ${[...dtypes].join(', ')}`,
    wanted: types?.join(' or '),
    hint: types === undefined ? 'leave --vectors-type out' : `--vectors-type ${types.join(' or --vectors-type ')}`,
  })
}

async function* recordedTexts(path: string, signal: AbortSignal | undefined): AsyncGenerator<readonly RecordedText[]> {
  const call = signal ? { signal } : {}
  if (/\.txt(\.(gz|zst))?$/i.test(path)) {
    yield* readTexts({ kind: 'file', path }, call)
    return
  }
  let row = 0
  for await (const { rows, columns } of readBatches([path], {
    columns: ['text'],
    optional: ['prompt_type'],
    ...call,
  })) {
    const first = row
    row += rows
    yield Array.from({ length: rows }, (_, i) => {
      const [text, side] = [columns['text']?.[i], columns['prompt_type']?.[i] ?? undefined]
      if (typeof text !== 'string')
        throw fault('table.read', { place: `${path} › row ${first + i + 1}`, what: 'text is not a text', seen: text })
      return { text, ...sideOf(side, `${path} › row ${first + i + 1}`) }
    })
  }
}

function sideOf(side: unknown, place: string): { side?: PromptType } {
  if (side === undefined || side === '') return {}
  if (side === 'query' || side === 'document') return { side }
  throw fault('usage.value', { place, what: 'prompt_type is neither query nor document', seen: side })
}
