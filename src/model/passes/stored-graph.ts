/** A graph that someone has written, with its weights: run as it is, texts in and one vector per text out. */
import { readFile } from 'node:fs/promises'
import { fault } from '#core'
import { openSession, type Session } from '#platform/runtime'
import { forwardPooled, type TokenRow } from './forward.ts'
import type { ModelOptions } from './options.ts'

/** Files of a graph on this machine. */
export interface GraphFiles {
  readonly path: string
  /** Weights next to it, by the name that the graph has for them. */
  readonly data?: { readonly location: string; readonly path: string } | undefined
}

export interface StoredGraph {
  /** Numbers of a vector. */
  readonly width: number
  /** [rows × width] */
  run(
    rows: readonly TokenRow[],
    options: {
      budget: number
      padId: number
      signal?: AbortSignal | undefined
      onBatch?: ((rows: number, tokens: number) => void) | undefined
    },
  ): Promise<Float32Array>
  close(): Promise<void>
}

const [output, known] = ['sentence_embedding', ['input_ids', 'attention_mask', 'token_type_ids']] as const

/** Throws `engine.load`, and `config.unsupported` for a graph that gives no vectors of texts. */
export async function openStoredGraph(
  { path, data }: GraphFiles,
  { threads, device }: Pick<ModelOptions, 'threads' | 'device'>,
): Promise<StoredGraph> {
  const model = new Uint8Array(await readFile(path))
  const session = await openSession(
    { model, externals: data === undefined ? [] : [data], inline: [] },
    { threads, device },
  )
  try {
    const width = widthOf(session, path)
    const inputs = new Set(session.inputs.map(({ name }) => name))
    return {
      width,
      async run(rows, options) {
        const integers = session.inputs[0]?.dtype === 'int64' ? 'int64' : 'int32'
        const [vectors = new Float32Array(0)] = await forwardPooled(session, rows, [{ output, width }], {
          ...options,
          promptTokens: 0,
          inputs,
          integers,
          outputs: [output],
        })
        return vectors
      },
      close: () => session.close(),
    }
  } catch (error) {
    await session.close()
    throw error
  }
}

function widthOf({ inputs, outputs }: Session, place: string): number {
  const own = outputs.find(({ name }) => name === output)
  const width = own?.dims.at(-1)
  const strange = inputs.find(({ name }) => !known.some((one) => one === name))
  if (typeof width !== 'number' || own?.dims.length !== 2 || strange !== undefined)
    throw fault('config.unsupported', {
      place,
      what: strange === undefined ? `the graph gives no ${output}` : 'the graph has another input',
      seen: strange === undefined ? outputs.map(({ name }) => name) : strange.name,
      wanted: strange === undefined ? output : known.join(', '),
    })
  return width
}
