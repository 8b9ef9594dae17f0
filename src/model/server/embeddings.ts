/** Vectors of texts behind a server: asked in batches, and believed after a check. */
import { type CallOptions, fingerprint } from '#core'
import { sendBatches } from './batches.ts'
import { checkServer, distance, probeTexts } from './check-vectors.ts'
import { type EmbeddingKind, embeddingKinds } from './kinds.ts'
import { type Line, placeOf, post, type Remedies, withoutKey } from './post.ts'
import { readRows, type ReadRows } from './read-vectors.ts'

/** Words of `model_args`. */
export interface EmbeddingOptions {
  readonly kind: EmbeddingKind
  /** As the server calls it. */
  readonly model: string
  /** The whole address: `http://localhost:8000/v1/embeddings`. */
  readonly address: string
  /** Bearer token, where there is one, and the variable of the environment that should hold it. */
  readonly key: () => string | undefined
  readonly keyName?: string | undefined
  /** Numbers of a vector, asked for and checked; default: as many as the server gives. */
  readonly dimensions?: number | undefined
  /** For text-embeddings-inference: whether it scales vectors to length 1; default: as it likes, which is true. */
  readonly normalize?: boolean | undefined
  /** Further fields of every request. */
  readonly fields?: Readonly<Record<string, unknown>> | undefined
  /** How numbers travel; they are the same. Default float. */
  readonly encoding?: 'float' | 'base64' | undefined
  /** What the server runs, in the user's words: vectors of one revision are never taken for another's. */
  readonly revision?: string | undefined
  /** Another name under which the server answers. */
  readonly answerModel?: string | undefined
  /** How far a text's vectors may lie apart when it is asked again; default 0.001. */
  readonly tolerance?: number | undefined
  /** Texts per request; default 32, as text-embeddings-inference allows. */
  readonly batchSize?: number | undefined
  /** Requests under way at once; default 1. */
  readonly concurrent?: number | undefined
  /** Tries per request; default 3. */
  readonly tries?: number | undefined
  /** Longest wait for an answer; default 300. */
  readonly seconds?: number | undefined
}

export interface EmbeddingServer {
  readonly name: string
  /** What moves a vector besides its text, for keys and their readers: no key, nothing of an address that may be one. */
  readonly description: Readonly<Record<string, string | number | boolean | null>>
  readonly revision: string
  readonly dimensions: number | undefined
  readonly batchSize: number
  readonly place: string
  readonly probeTexts: readonly string[]
  /** Whether two vectors may be of one text, asked twice. */
  readonly isSame: (a: Float32Array, b: Float32Array) => boolean
  /**
   * Vectors of `probeTexts`, after they were asked alone, in a batch and in the same batch reversed. Throws
   * `server.answer` for a server that cannot be believed, and what `encode` throws.
   */
  probe(call?: Pick<CallOptions, 'signal'>): Promise<readonly Float32Array[]>
  /** One vector for each text, in order. Throws `server.*`. */
  encode(texts: readonly string[], call?: EncodeCall): Promise<readonly Float32Array[]>
}

export interface EncodeCall extends Pick<CallOptions, 'signal'> {
  /** Numbers that a vector must have. */
  readonly width?: number | undefined
  /** Texts of an answer, and their tokens as the server counts them; a quarter of their letters where it does not. */
  readonly onRows?: ((rows: number, tokens: number) => void) | undefined
}

/** Letters of a token, where nobody counts them: English in a vocabulary of 30,000 to 50,000 pieces. */
const lettersPerToken = 4

/** Asks nothing yet. */
export function openEmbeddingServer(options: EmbeddingOptions): EmbeddingServer {
  const { kind, model, dimensions, batchSize = 32, concurrent = 1, tolerance = 1e-3 } = options
  const { tries = 3, seconds = 300, address, key } = options
  const line: Line = { address, key, tries, seconds, remedies: remediesFor(options) }
  const place = placeOf(line)
  const ask = async (texts: readonly string[], width: number | undefined, signal?: AbortSignal): Promise<ReadRows> =>
    readRows(await post(line, makeBody(texts, options), signal), {
      kind,
      count: texts.length,
      width,
      models: [model, ...(options.answerModel === undefined ? [] : [options.answerModel])],
      place,
      hide: (words) => withoutKey(words, line),
    })
  const description = describe(options, place)
  return {
    name: model,
    description,
    revision: `server-${fingerprint({ ...description, dimensions: null }).slice(0, 12)}`,
    dimensions,
    batchSize,
    place,
    probeTexts,
    isSame: (a, b) => distance(a, b) <= tolerance,
    probe: ({ signal } = {}) =>
      checkServer(async (texts) => (await ask(texts, dimensions, signal)).rows, { batchSize, tolerance, place }),
    encode: (texts, { signal, width = dimensions, onRows } = {}) =>
      sendBatches(
        texts.map((_, at) => at),
        async (indices, stop) => {
          const own = indices.map((at) => texts[at] ?? '')
          const { rows, tokens } = await ask(own, width, stop)
          const letters = own.reduce((sum, text) => sum + text.length, 0)
          onRows?.(own.length, tokens ?? Math.ceil(letters / lettersPerToken))
          return rows
        },
        { concurrent, batchSize, stage: 'encode', signal },
      ),
  }
}

function makeBody(
  texts: readonly string[],
  { kind, model, dimensions, normalize, fields, encoding = 'float' }: EmbeddingOptions,
): Record<string, unknown> {
  const sized = dimensions === undefined ? {} : { dimensions }
  switch (kind) {
    case 'openai-embeddings':
      return { model, input: texts, encoding_format: encoding, ...sized, ...fields }
    case 'tei-embeddings':
      // longer texts than the model reads are cut, as a model of this machine cuts them
      return { inputs: texts, truncate: true, ...(normalize === undefined ? {} : { normalize }), ...sized, ...fields }
    default:
      return kind satisfies never
  }
}

/**
 * Everything that can move a number of a vector, besides the text with its prompt. The address: two servers may give one
 * name to other weights, other arithmetic, other pooling. Its query may hold a key, and further fields anything: they
 * are hashed. `encoding`, `batchSize` and the like move no number beyond `tolerance`, and are left out.
 */
function describe(
  { kind, model, address, dimensions, normalize, fields, revision }: EmbeddingOptions,
  place: string,
): EmbeddingServer['description'] {
  const { search } = new URL(address)
  return {
    server: kind,
    model,
    address: place,
    query: search === '' ? null : fingerprint(search),
    dimensions: dimensions ?? null,
    normalize: normalize ?? null,
    fields: fields === undefined ? null : fingerprint(fields),
    revision: revision ?? null,
  }
}

function remediesFor({ kind, keyName = 'OPENAI_API_KEY' }: EmbeddingOptions): Remedies {
  const whole = `base_url is the whole address, …${embeddingKinds[kind].path}`
  const fewer = 'fewer texts per request (batch=…), or shorter ones: some servers refuse those that their model cuts'
  return {
    silent: `is the server running there? ${whole}`,
    late: 'give it longer, or less to do: timeout=…, batch=… and num_concurrent=… in --model_args',
    key: `set ${keyName}`,
    refused: {
      400: `the server does not take this request: its model, dimensions, an empty text; or ${fewer}`,
      404: `${whole}, and model the name that the server gives it`,
      413: fewer,
      422: fewer,
      429: 'send less at a time: num_concurrent=…, batch=…; vectors that came are kept, and the same command asks for the others',
    },
  }
}
