/** Generation of texts: prompts pass once, then token after token with the kept keys and values of those before. */
import { fault, fingerprint, type GenerateOptions, type Generation } from '#core'
import type { ModelSpec } from '#model/architectures'
import type { Tokenizer } from '#model/tokenizer'
import { defaultRng } from '#platform/random'
import { type Graphs, type Opened, lastShortLength, regimeOf } from '#model/passes'
import { fedColumns, keepColumns, type PastColumns, noColumns, pickRows } from './past-columns.ts'
import { graphFeeds } from './pack-feeds.ts'
import { rowsTogether } from './rows-together.ts'
import { nextToken, type Sampling } from './sample-token.ts'
import { pickSources, readSources, type Source, type SourceRows } from './source-rows.ts'
import { cutAtStop, holdsStop, settledText } from './stop-strings.ts'

export interface GenerateParts {
  readonly spec: ModelSpec
  readonly graphs: Graphs
  readonly tokenizer: Tokenizer
  /** Tokens that prompt and answer share. */
  readonly window: number
  /** Tokens of all rows that are kept at once. */
  readonly budget: number
  /** Ids that end a text. */
  readonly ends: readonly number[]
  readonly name: string
  /** The encoder of the prompt, for decoders that continue from its states. */
  readonly source?: Source | undefined
}

/** New columns of a pass: longer prompts pass in pieces. */
const mostColumns = 512
/** `max_gen_toks` of lm-evaluation-harness. */
const usualMost = 256

/** One row of a batch. */
interface Row {
  readonly index: number
  /** The part of the prompt that is read, by the model's encoder or by the model itself. */
  readonly read: Int32Array
  /** The tokens that the text continues. */
  readonly prompt: Int32Array
  readonly dropped: number
  /** Maximum number of tokens written. */
  readonly most: number
  readonly written: number[]
  /**
   * What has been settled of the text: it never grows shorter, though bytes in a row that are no character take those
   * before them along for a while.
   */
  settled: string
  readonly draw: () => number
}

/**
 * `prompts` as ids. The text written for one does not depend on the others: each has its own draws, and a row sees only
 * itself. Throws `usage.value`, `engine.run`, `run.cancelled`.
 */
export async function generateTexts(
  prompts: readonly Int32Array[],
  parts: GenerateParts,
  {
    until = [],
    maxTokens = usualMost,
    temperature = 0,
    topK,
    topP,
    seed = 0,
    longPrompts = 'cut',
    signal,
    onAnswer,
    onText,
    isKnown = () => false,
  }: GenerateOptions,
): Promise<Generation[]> {
  const { source, window } = parts
  const room = longPrompts === 'cut' && source === undefined ? roomBeside(maxTokens, parts) : window
  const answers: Generation[] = []
  const rows = prompts.map((ids, index): Row => {
    // seeded by the prompt, not by its place: the rest of a list is written as it would be in the whole list
    const numbers = defaultRng(Number.parseInt(fingerprint([seed, [...ids]]).slice(0, 12), 16))
    const read = ids.slice(Math.max(0, ids.length - room))
    return {
      index,
      read,
      prompt: source === undefined ? read : Int32Array.of(source.startId),
      dropped: ids.length - read.length,
      most:
        longPrompts === 'cut'
          ? mostAfter(read.length, maxTokens, parts)
          : Math.min(maxTokens, roomAfter(ids.length, parts)),
      written: [],
      settled: '',
      draw: () => numbers.random(1)[0] ?? 0,
    }
  })
  const opened = await parts.graphs.open({ picked: 'logits', past: 'append' })
  const finish = (row: Row, text: string, end: Generation['end']): void => {
    const answer = {
      text,
      end,
      droppedTokens: row.dropped,
      tokens: { prompt: row.read.length, written: row.written.length },
    }
    answers[row.index] = answer
    onText?.(row.index, text)
    onAnswer?.(row.index, answer)
  }
  const open = rows.filter(({ index }) => !isKnown(index))
  for (const batch of batchesOf(open, parts)) {
    await writeBatch(batch, { opened, parts, until, sampling: { temperature, topK, topP }, signal, finish, onText })
  }
  return answers
}

/** Tokens that a prompt may have. */
function roomBeside(maxTokens: number, { name, window }: GenerateParts): number {
  if (window - maxTokens >= 1) return window - maxTokens
  throw fault('usage.value', {
    place: `${name} › max tokens`,
    what: 'leaves no room for a prompt',
    seen: maxTokens,
    wanted: `below ${window}, the model's window`,
  })
}

/**
 * Maximum number of tokens written after a prompt that was cut. An encoder-decoder may write as many more as its
 * encoder has read, but for its start token: the reference counts the prompt as written tokens (`HFLM.generate_until`).
 */
function mostAfter(read: number, maxTokens: number, { source }: GenerateParts): number {
  return source === undefined ? maxTokens : Math.max(1, read + maxTokens - 1)
}

/** Tokens that may be written after a prompt that is not cut: what an encoder has read takes no room. */
function roomAfter(prompt: number, { name, window, source }: GenerateParts): number {
  if (source !== undefined && prompt <= window) return window
  if (prompt < window) return window - prompt
  throw fault('usage.value', {
    place: `${name} › prompt`,
    what: "as long as the model's window or longer",
    seen: prompt,
    wanted: `below ${window} tokens`,
  })
}

/** Longest prompts first; rows whose rotary scaling would see another's length run alone. */
function batchesOf(rows: readonly Row[], { budget, spec }: GenerateParts): Row[][] {
  const regime = regimeOf(spec)
  const order = [...rows].sort((a, b) => b.read.length - a.read.length || a.index - b.index)
  const batches: Row[][] = []
  let most = 0
  for (const row of order) {
    const length = row.read.length + row.most
    const alone = regime(length) !== 0
    const last = batches.at(-1)
    if (last === undefined || alone || last.length >= most) {
      batches.push([row])
      most = alone ? 1 : rowsTogether(spec, length, budget)
    } else last.push(row)
  }
  return batches
}

interface Writing {
  readonly opened: Opened
  readonly parts: GenerateParts
  readonly until: readonly string[]
  readonly sampling: Sampling
  readonly signal: AbortSignal | undefined
  readonly finish: (row: Row, text: string, end: Generation['end']) => void
  readonly onText: GenerateOptions['onText']
}

async function writeBatch(batch: readonly Row[], writing: Writing): Promise<void> {
  const { parts, sampling, signal } = writing
  const shortLength = lastShortLength(parts.spec)
  const width = Math.max(1, ...batch.map(({ prompt }) => prompt.length))
  let rows = [...batch]
  let pads = rows.map(({ prompt }) => width - prompt.length)
  const { source: encoder, graphs } = parts
  let source: SourceRows | undefined
  if (encoder !== undefined)
    source = await readSources(
      rows.map(({ read }) => read),
      encoder,
      graphs,
    )
  let { kept, logits } = await readIn(
    rows.map(({ prompt }) => prompt),
    source,
    writing,
  )
  while (rows.length > 0) {
    signal?.throwIfAborted()
    const vocabulary = logits.length / rows.length
    const tokens = rows.map(({ draw }, r) =>
      nextToken(logits.subarray(r * vocabulary, (r + 1) * vocabulary), sampling, draw),
    )
    const going = await Promise.all(rows.map(async (row, r) => goesOn(row, tokens[r] ?? 0, writing)))
    const left = rows.flatMap((_, r) => (going[r] === true ? [r] : []))
    if (left.length < rows.length) {
      kept = pickRows(kept, left, rows.length)
      source = source === undefined ? undefined : pickSources(source, left)
    }
    rows = left.flatMap((r) => rows[r] ?? [])
    pads = left.map((r) => pads[r] ?? 0)
    if (rows.length === 0) return
    if (kept.used === shortLength) {
      // such a row runs alone
      const whole = rows.map(({ prompt, written }) => Int32Array.of(...prompt, ...written))
      ;({ kept, logits } = await readIn(whole, source, writing))
    } else {
      const ids = Int32Array.from(left, (r) => tokens[r] ?? 0)
      ;({ kept, logits } = await pass({ ids, cols: 1, pads, kept, source }, writing))
    }
  }
}

type Passed = Awaited<ReturnType<typeof pass>>

/** Texts, padded at their beginning, in pieces – in one where the rotary scaling looks at the length. */
async function readIn(texts: readonly Int32Array[], source: SourceRows | undefined, writing: Writing): Promise<Passed> {
  const { spec } = writing.parts
  const width = Math.max(1, ...texts.map(({ length }) => length))
  const pads = texts.map(({ length }) => width - length)
  const columns = regimeOf(spec)(width) === 0 ? mostColumns : width
  let passed: Passed = { kept: noColumns, logits: new Float32Array(0) }
  for (let from = 0; from < width; from += columns) {
    writing.signal?.throwIfAborted()
    const cols = Math.min(columns, width - from)
    const ids = new Int32Array(texts.length * cols)
    texts.forEach((text, r) => {
      for (let c = 0; c < cols; c++) ids[r * cols + c] = text[from + c - (pads[r] ?? 0)] ?? spec.padId ?? 0
    })
    passed = await pass({ ids, cols, pads, kept: passed.kept, source }, writing)
  }
  return passed
}

/** Takes the token in; false when the text has ended. */
async function goesOn(
  row: Row,
  token: number,
  { parts: { tokenizer, ends }, until, finish, onText }: Writing,
): Promise<boolean> {
  if (ends.includes(token)) {
    finish(row, cutAtStop(await tokenizer.decode(row.written), until), 'end-of-text')
    return false
  }
  row.written.push(token)
  const last = row.written.length === row.most
  // a stop string that is there now was not there before: it ends in the newest tokens
  const longest = Math.max(1, ...until.map((stop) => stop.length))
  const stopped = until.length > 0 && holdsStop(await tokenizer.decode(row.written.slice(-longest - 8)), until)
  if (!stopped && !last && onText === undefined) return true
  const text = await tokenizer.decode(row.written)
  const ended = cutAtStop(text, until)
  if (ended.length === text.length && !last) {
    const settled = settledText(text, until)
    if (settled.length > row.settled.length) row.settled = settled
    onText?.(row.index, row.settled)
    return true
  }
  finish(row, ended, ended.length < text.length ? 'stop' : 'length')
  return false
}

interface Columns {
  /** [rows × cols] */
  readonly ids: Int32Array
  readonly cols: number
  /** Columns of each row that hold nothing, at its beginning. */
  readonly pads: readonly number[]
  readonly kept: PastColumns
  /** A row for each of them; it is met again by the next columns. */
  readonly source: SourceRows | undefined
}

/**
 * Passes the columns through the model: returns the states kept now, and the logits after the last column, [rows ×
 * vocabulary].
 */
async function pass(
  { ids, cols, pads, kept, source }: Columns,
  { opened: { graph, session } }: Writing,
): Promise<{ kept: PastColumns; logits: Float32Array<ArrayBuffer> }> {
  const rows = pads.length
  const { used, past } = kept
  const [before, all] = [past.length, past.length + cols]
  const places = Int32Array.from(ids, (_, i) => Math.max(0, used + (i % cols) - (pads[Math.floor(i / cols)] ?? 0)))
  const mask = Int32Array.from(ids, (_, i) => (used + (i % cols) >= (pads[Math.floor(i / cols)] ?? 0) ? 1 : 0))
  // room has no place, and nobody sees it
  const keyPlaces = new Int32Array(rows * all)
  for (let r = 0; r < rows; r++)
    for (let place = pads[r] ?? 0; place < used + cols; place++)
      keyPlaces[r * all + (place < used ? place : before + place - used)] = place - (pads[r] ?? 0)
  const visible = (window: number): Int32Array => {
    const seen = new Int32Array(rows * cols * all)
    for (let r = 0; r < rows; r++)
      for (let c = 0; c < cols; c++) {
        const start = (r * cols + c) * all
        const from = Math.max(pads[r] ?? 0, used + c - window + 1)
        if (from < used) seen.fill(1, start + from, start + used)
        const first = Math.max(0, from - used)
        if (first <= c) seen.fill(1, start + before + first, start + before + c + 1)
      }
    return seen
  }
  const met = source === undefined ? undefined : pickSources(source, Array.from(pads.keys()))
  const feeds = graphFeeds(graph, { rows, cols, ids, places, mask, keyPlaces, visible, past, source: met })
  const last = Int32Array.from({ length: rows }, (_, r) => (r + 1) * cols - 1)
  const outputs = await session.run(
    { ...feeds, picked: { dtype: 'int32', dims: [rows], data: last } },
    { handBack: fedColumns(graph, kept) },
  )
  const logits = outputs['picked_logits']
  if (logits?.dtype !== 'float32')
    throw fault('engine.run', { place: 'picked_logits', what: 'the graph did not give this output' })
  return { kept: keepColumns(kept, outputs, { graph, cols }), logits: logits.data as Float32Array<ArrayBuffer> }
}
