/**
 * Vectors of parts of texts, every hidden state: the mean of the tokens that overlap the characters. A text passes the
 * model once, whatever its parts; vectors are cached by content.
 */
import { type CallOptions, fault, type Matrix } from '#core'
import { checkFinite, tokenBatches } from '#experiment/encode'
import { choosePrompt, type Model, stateOutput, statesOf, type TokenOutput, tokensOf } from '#model/checkpoint'
import { forecastTokens } from '#model/passes'
import { storeFor, type VectorSpace, type VectorStore } from '#platform/vectors'

/** Characters `start` … `end − 1` of a text, in code points. */
export interface Span {
  readonly text: string
  readonly start: number
  readonly end: number
}

export interface SpanVectors {
  /** Passes missing texts through the model; finished work is durable. */
  ensure(spans: readonly Span[], options?: CallOptions): Promise<{ readonly encoded: number }>
  /** [spans × width] of state h; NaN where a span has no token left, because the text was cut. */
  read(h: number, spans: readonly Span[]): Promise<Matrix>
  close(): Promise<void>
}

/** Vectors stored at once, in bytes: the maximum loss in a crash. */
const keptBytes = 32 * 1024 * 1024
/** Raised when the arithmetic changes. */
const arithmetic = 1

/** Throws `usage.conflict` for a model without states or one that reads chats, whose template moves the characters. */
export async function openSpanVectors(model: Model, store: VectorStore | undefined): Promise<SpanVectors> {
  const { settings } = model
  if (settings.chat)
    throw fault('usage.conflict', {
      place: model.name,
      what: 'parts of a text cannot be found in a chat template',
      hint: 'leave --chat out',
    })
  const prompt = choosePrompt(model.prompts)
  const { count } = statesOf(model)
  const { width } = await model.facts()
  const slots = Array.from({ length: count }, (_, h) => ({ name: `h${h}`, width }))
  const held = storeFor(store)
  const { maxLength, finalNorm, lowerCase, dtype, engine, device, native } = settings
  const reading = { maxLength, finalNorm, lowerCase, dtype, engine, device, native }
  const space: VectorSpace = await held.store.space(
    { kind: 'spans', arithmetic, model: model.name, ...(await model.identity()), ...reading, prompt },
    slots,
  )

  return {
    async ensure(spans, { signal, onProgress } = {}) {
      const keys = spans.map(keyOf)
      const absent = (await space.missing(keys)).flatMap((index) => spans[index] ?? [])
      const byText = new Map<string, Span[]>()
      for (const span of absent) {
        const own = byText.get(span.text) ?? []
        byText.set(span.text, own)
        own.push(span)
      }
      const texts = [...byText.keys()]
      const forecast = forecastTokens(texts)
      let [done, waiting, vectors] = [0, [] as Span[], slots.map(() => [] as Float32Array[])]
      const flush = async (): Promise<void> => {
        if (waiting.length > 0)
          await space.append(
            waiting.map(keyOf),
            vectors.map((rows) => joined(rows, width)),
          )
        ;[waiting, vectors] = [[], slots.map(() => [])]
      }
      for (const batch of tokenBatches(texts)) {
        if (signal?.aborted === true)
          throw fault('run.cancelled', { place: model.name, what: 'cancelled', cause: signal.reason })
        const { rows, tokens } = await encodeBatch(model, batch, byText, prompt)
        for (const { span, states } of rows) {
          waiting.push(span)
          states.forEach((vector, h) => vectors[h]?.push(vector))
        }
        done += batch.length
        onProgress?.({
          stage: 'encode',
          done,
          total: texts.length,
          unit: 'texts',
          work: forecast(batch.length, tokens),
        })
        if (waiting.length * count * width * 4 >= keptBytes) await flush()
      }
      await flush()
      return { encoded: texts.length }
    },
    read: (h, spans) => space.read(`h${h}`, spans.map(keyOf)),
    async close() {
      await space.close()
      await held.close()
    },
  }
}

function keyOf({ text, start, end }: Span): string {
  return `${start}:${end}:${text}`
}

interface SpanStates {
  readonly span: Span
  /** By hidden state. */
  readonly states: readonly Float32Array[]
}

async function encodeBatch(
  model: Model,
  texts: readonly string[],
  spansOf: ReadonlyMap<string, readonly Span[]>,
  prompt: string | null,
): Promise<{ rows: SpanStates[]; tokens: number }> {
  const of = tokensOf(model)
  const layers = Array.from({ length: statesOf(model).count }, (_, h) => h)
  const batch = await of.batch(texts, { prompt, side: 'right' })
  // the reference's last state may be the normed one
  const outputs = await of.run({ batch, states: layers, lastState: model.settings.finalNorm === 'native' })
  const offsets = await tokenOffsets(model, texts, prompt)
  const rows = texts.flatMap((text, row) =>
    (spansOf.get(text) ?? []).map((span): SpanStates => {
      const [start, end] = asRead(span, prompt, model.settings.lowerCase)
      const found = tokensIn(offsets[row] ?? new Int32Array(), start, end)
      const first = row * batch.cols
      const tokens = found.map((token) => first + token)
      return {
        span,
        states: layers.map((h) => meanOf(stateOutput(outputs, h, model.name), tokens, { state: `h${h}`, text })),
      }
    }),
  )
  return { rows, tokens: batch.attentionMask.reduce((sum, mask) => sum + mask, 0) }
}

async function tokenOffsets(
  { settings, tokens }: Model,
  texts: readonly string[],
  prompt: string | null,
): Promise<(Int32Array | undefined)[]> {
  const tokenizer = await tokens?.tokenizer()
  const worded = texts.map((text) => lowered(prompt === null ? text : prompt + text, settings.lowerCase))
  const encoded = (await tokenizer?.encodeBatch(worded, { maxLength: settings.maxLength, offsets: true })) ?? []
  return encoded.map(({ offsets }) => offsets)
}

/**
 * Position of a span in the tokenizer's input: after the prompt, in lower case, which may turn one capital into two
 * characters.
 */
function asRead({ text, start, end }: Span, prompt: string | null, lowerCase: boolean): [start: number, end: number] {
  const before = Array.from(lowered(prompt ?? '', lowerCase)).length
  if (!lowerCase) return [before + start, before + end]
  const letters = Array.from(text)
  const length = (to: number): number => Array.from(lowered(letters.slice(0, to).join(''), true)).length
  return [before + length(start), before + length(end)]
}

/** Character by character, as texts are lowered before tokenisation. */
function lowered(text: string, lowerCase: boolean): string {
  return lowerCase ? Array.from(text, (letter) => letter.toLowerCase()).join('') : text
}

/** Tokens that share a character with the span; those of the template have no characters. */
function tokensIn(offsets: Int32Array, start: number, end: number): number[] {
  return Array.from({ length: offsets.length / 2 }, (_, token) => token).filter((token) => {
    const [from = 0, to = 0] = offsets.subarray(2 * token, 2 * token + 2)
    return from < to && from < end && to > start
  })
}

/** In float32. `tokens`: their indices in the whole batch. */
function meanOf(
  { dims, data }: TokenOutput,
  tokens: readonly number[],
  { state: name, text }: { state: string; text: string },
): Float32Array {
  const width = dims[2] ?? 0
  const sum = new Float32Array(width)
  for (const token of tokens) {
    const state = data.subarray(token * width, (token + 1) * width)
    checkFinite(name, state, [text])
    for (let i = 0; i < width; i++) sum[i] = (sum[i] ?? 0) + (state[i] ?? 0)
  }
  return sum.map((value) => value / tokens.length)
}

function joined(rows: readonly Float32Array[], width: number): Float32Array {
  const out = new Float32Array(rows.length * width)
  rows.forEach((row, i) => out.set(row, i * width))
  return out
}
