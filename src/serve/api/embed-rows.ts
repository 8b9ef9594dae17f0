/** Texts or token ids of a request through a representation of a served model. */
import { fault, type Matrix, matrix } from '#core'
import { allFinite } from '#files/formats'
import { choosePrompt, statesOf } from '#model/checkpoint'
import { type Representation, representationEncoder, representationName } from '#representation/layers'
import { isQueued, queuedModel, type ReadRows } from './queued-model.ts'
import type { ServedModel } from './served.ts'

export type EmbedInput =
  | { readonly kind: 'texts'; readonly texts: readonly string[] }
  | { readonly kind: 'ids'; readonly ids: readonly (readonly number[])[] }

export interface EmbedHow {
  readonly promptName?: string | undefined
  readonly side?: 'query' | 'document' | undefined
  /** False: a text that the model would not read to its end is refused. */
  readonly truncate?: boolean | undefined
  readonly signal?: AbortSignal | undefined
}

export interface EmbeddedRows {
  /** [texts × width], one matrix for each representation. */
  readonly vectors: readonly Matrix[]
  /** Tokens that the model read of each text, special ones included; 0 for a model without tokens. */
  readonly tokens: readonly number[]
}

/** Several representations of the same texts come out of one pass. */
export async function embedRows(
  served: ServedModel,
  representations: readonly Representation[],
  input: EmbedInput,
  { promptName, side, truncate = true, signal }: EmbedHow = {},
): Promise<EmbeddedRows> {
  const { model, queue } = served
  for (const one of representations) if (!isQueued(one, model)) refuseUnqueued(served, input, { truncate, side })
  if (side !== undefined && model.settings.routes !== undefined) refuseUnqueued(served, input, { truncate, side })
  const { adapters } = model.prompts
  if (side !== undefined && adapters !== undefined && adapters.named === undefined)
    throw fault('usage.conflict', {
      place: served.name,
      what: 'the model reads queries and documents by different adapters, and is served with one',
      seen: `input_type: ${side}`,
      hint: 'start the server with --adapter NAME, or leave input_type out',
    })
  const choice = promptName === undefined ? model.prompts : { ...model.prompts, name: promptName }
  const prompt = input.kind === 'ids' ? null : choosePrompt(choice, { promptType: side })
  const texts = input.kind === 'ids' ? input.ids.map(() => '') : input.texts
  const read = once(input.kind === 'ids' ? readIds(served, input.ids) : readTexts(served, truncate))
  const kept = input.kind === 'texts' ? served.kept : undefined
  const own = queuedModel(model, queue, { read, kept, signal })
  const vectors = await Promise.all(
    representations.map(async (one) => {
      const encoder = await representationEncoder(own, one)
      const work = (): Promise<Float32Array[]> => encoder.encode(texts, prompt, { signal })
      const [data = new Float32Array(0)] = await (isQueued(one, model) ? work() : served.inTurn(work))
      if (!allFinite(data))
        throw fault('tensor.value', {
          place: `${served.name} › ${representationName(one)}`,
          what: 'a vector is not finite',
        })
      return matrix(texts.length, encoder.slots[0]?.width ?? 0, data)
    }),
  )
  const tokens =
    queue === undefined ? texts.map(() => 0) : (await read(texts, prompt)).rows.map(({ ids }) => ids.length)
  return { vectors, tokens }
}

/** Such a representation reads texts by itself: as the model cuts them, and by the modules of texts of no side. */
function refuseUnqueued(
  { name, model }: ServedModel,
  { kind }: EmbedInput,
  { truncate, side }: Pick<EmbedHow, 'truncate' | 'side'>,
): void {
  const refused = [
    ...(kind === 'ids' ? ['token ids'] : []),
    ...(truncate === false ? ['truncate: false'] : []),
    ...(side !== undefined && model.settings.routes !== undefined ? ['input_type'] : []),
  ]
  if (refused.length > 0)
    throw fault('usage.value', {
      place: name,
      what: 'this representation is of plain texts alone',
      seen: refused.join(', '),
    })
}

/** Texts are read once for all representations. */
function once(read: ReadRows): ReadRows {
  let first: ReturnType<ReadRows> | undefined
  return (...asked) => (first ??= read(...asked))
}

function readTexts({ model, name }: ServedModel, truncate: boolean): ReadRows {
  return async (texts, prompt) => {
    const states = statesOf(model)
    if (!truncate) {
      const whole = await (await states.tokenizer()).encodeBatch(texts.map((text) => `${prompt ?? ''}${text}`))
      const { maxLength } = model.settings
      const long = whole.findIndex(({ ids }) => ids.length > maxLength)
      if (long >= 0)
        throw fault('usage.value', {
          place: `${name} › input ${long}`,
          what: 'the text has more tokens than the model reads',
          seen: whole[long]?.ids.length,
          wanted: `at most ${maxLength}`,
          hint: 'leave out truncate: false to cut it',
        })
    }
    return states.tokenRows(texts, prompt)
  }
}

function readIds({ model, name }: ServedModel, ids: readonly (readonly number[])[]): ReadRows {
  const { maxLength } = model.settings
  const long = ids.findIndex(({ length }) => length > maxLength || length === 0)
  if (long >= 0)
    throw fault('usage.value', {
      place: `${name} › input ${long}`,
      what: 'not a number of tokens that the model reads',
      seen: ids[long]?.length,
      wanted: `1 … ${maxLength}`,
    })
  statesOf(model)
  return () =>
    Promise.resolve({
      rows: ids.map((row) => ({ ids: Int32Array.from(row), typeIds: new Int32Array(row.length) })),
      skipped: 0,
    })
}
