/** Requests with something wrong in them, drawn by a seed: in the body, its type, the head, the framing, or everywhere. */
import { fits, type JsonSchema } from './json-schema.ts'

/** `refused`: 4xx. `answered`: 200. `any`: either, for the request may be right by chance. `none`: 4xx or nothing at all. */
export type Wanted = 'refused' | 'answered' | 'any' | 'none'

export interface Malformed {
  readonly kind: string
  /** Sent one after the other on one connection. */
  readonly pieces: readonly Uint8Array[]
  /** What must come, in order. What comes after it may only refuse. */
  readonly wanted: readonly Wanted[]
}

/** The paths that take a body, with what the server's own document says of it. */
export type Schemas = Readonly<Record<string, JsonSchema>>

type Draw = () => number

/** Models that the server knows: one that writes, and one with a head. */
export interface Names {
  readonly model: string
  readonly head: string
}

/** The next request; `draw` gives numbers in [0, 1). */
export function malformed(draw: Draw, schemas: Schemas, names: Names): Malformed {
  const kinds = [
    ...repeat(11, valueWrong),
    ...repeat(3, textWrong),
    typeWrong,
    ...repeat(2, framingWrong),
    headWrong,
    garbage,
    pipelined,
  ]
  return pick(draw, kinds)(draw, schemas, names)
}

function valueWrong(draw: Draw, schemas: Schemas, names: Names): Malformed {
  const path = pick(draw, Object.keys(schemas))
  const schema = schemas[path]!
  let body: unknown = pick(draw, valid(names)[path]!)
  for (let tries = 0; tries < 30 && fits(schema, body); tries++) body = changed(draw, body)
  const bytes = Buffer.from(JSON.stringify(body))
  return { kind: 'value', pieces: cut(draw, post(path, bytes)), wanted: [wantedOf(schema, bytes)] }
}

function textWrong(draw: Draw, schemas: Schemas, names: Names): Malformed {
  const path = pick(draw, Object.keys(schemas))
  const schema = schemas[path]!
  let bytes: Buffer = Buffer.from(JSON.stringify(pick(draw, valid(names)[path]!)))
  for (let tries = 0; tries < 20 && wantedOf(schema, bytes) === 'any'; tries++) bytes = broken(draw, bytes)
  return { kind: 'text', pieces: cut(draw, post(path, bytes)), wanted: [wantedOf(schema, bytes)] }
}

function typeWrong(draw: Draw, schemas: Schemas, names: Names): Malformed {
  const path = pick(draw, Object.keys(schemas))
  const body = Buffer.from(JSON.stringify(valid(names)[path]![0]))
  const headers = pick(draw, [
    ['Content-Type: text/plain'],
    ['Content-Type: application/jsonx'],
    ['Content-Type: application/json-patch+json'],
    ['Content-Type: multipart/form-data; boundary=x'],
    ['Content-Type: application/x-www-form-urlencoded'],
    ['Content-Type: '],
    [],
    ['Content-Type: application/json; charset=utf-16'],
    ['Content-Type: application/json; charset=latin1'],
    ['Content-Type: application/json', 'Content-Encoding: gzip'],
    ['Content-Type: application/json', 'Content-Encoding: br, gzip'],
    ['Content-Type: application/json', 'Content-Encoding: nonsense'],
    ['Content-Type: application/json', 'Origin: https://elsewhere.example'],
    ['Content-Type: application/json', 'Origin: ::::'],
    ['Content-Type: application/json', 'Expect: something'],
  ])
  return { kind: 'type', pieces: [request('POST', path, headers, body)], wanted: ['refused'] }
}

function framingWrong(draw: Draw, schemas: Schemas, names: Names): Malformed {
  const path = pick(draw, Object.keys(schemas))
  const body = JSON.stringify(valid(names)[path]![0])
  const size = (length: string): string => `${line('POST', path)}${json}Content-Length: ${length}\r\n\r\n${body}`
  const chunks = (text: string): string => `${line('POST', path)}${json}Transfer-Encoding: chunked\r\n\r\n${text}`
  const hex = body.length.toString(16)
  const other = (encoding: string): string =>
    `${line('POST', path)}${json}Transfer-Encoding: ${encoding}\r\n\r\n${body}`
  const text = pick(draw, [
    ...['-1', 'abc', '1e3', '0x10', '9'.repeat(20), '5, 5', '5 6', '+5', ''].map(size),
    size(String(body.length + 1 + Math.floor(100 * draw()))),
    size(String(Math.floor(body.length * draw()))),
    size(`${body.length}\r\nContent-Length: ${body.length + 1}`),
    size(`${body.length}\r\nTransfer-Encoding: chunked`),
    ...['gzip', 'chunked, gzip', 'xchunked', 'identity, chunked, chunked', ' '].map(other),
    ...['zz', '-1', '', 'f'.repeat(17), `${hex} x`, '0x5', '"5"'].map((one) =>
      chunks(`${one}\r\n${body}\r\n0\r\n\r\n`),
    ),
    chunks(`${hex}\r\n${body}X\r\n0\r\n\r\n`),
    chunks(`${hex}\r\n${body}\r\n`),
    chunks(`${hex}\r\n${body.slice(1)}`),
    chunks(`${hex};${'a'.repeat(40_000)}\r\n${body}\r\n0\r\n\r\n`),
    chunks(`${hex}\r\n${body}\r\n0\r\nTrailer without a colon\r\n\r\n`),
  ])
  return { kind: 'framing', pieces: cut(draw, Buffer.from(text, 'latin1')), wanted: ['none'] }
}

function headWrong(draw: Draw): Malformed {
  const host = 'Host: 127.0.0.1\r\n'
  const heads = [
    'GET /health HTTP/1.1\r\n\r\n',
    'GET /health HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n',
    'GET /health HTTP/1.1\r\nHost: a b\r\n\r\n',
    'GET /health HTTP/1.1\r\nHost: 127.0.0.1:99999\r\n\r\n',
    'GET /health HTTP/1.1\r\nHost: [::1\r\n\r\n',
    ...['HTTP/3.7', 'HTTP/1', 'HTTP/11.1', 'HTPP/1.1', '', 'HTTP/1.1 x'].map(
      (version) => `GET /health ${version}\r\n${host}\r\n`,
    ),
    ...['get', 'FOO', 'G\0ET', '', 'GET\t', '"GET"'].map((method) => `${method} /health HTTP/1.1\r\n${host}\r\n`),
    ...['DELETE', 'PUT', 'PATCH', 'TRACE', 'POST'].map((method) => `${method} /health HTTP/1.1\r\n${host}\r\n`),
    ...['', 'x', '/\0', 'http://', 'http://[::1/health', '*', '/nowhere', '/%', '/%ff', '/..', '/a\\b', '/health/'].map(
      (target) => `GET ${target} HTTP/1.1\r\n${host}\r\n`,
    ),
    ...['/../../etc/passwd', '/%2e%2e/%2e%2e/etc/passwd', '//health', '/health%00', '/v1/models/../..'].map(
      (target) => `GET ${target} HTTP/1.1\r\n${host}\r\n`,
    ),
    `GET /${'a'.repeat(20_000)} HTTP/1.1\r\n${host}\r\n`,
    `GET /health HTTP/1.1\r\n${host}X: ${'a'.repeat(20_000)}\r\n\r\n`,
    `GET /health HTTP/1.1\r\n${host}${'X: abcdef\r\n'.repeat(4000)}\r\n`,
    ...['No colon', 'A b: c', ': x', 'X: a\0b', 'X\0: a', 'X : y', 'X: a\rb'].map(
      (header) => `GET /health HTTP/1.1\r\n${host}${header}\r\n\r\n`,
    ),
    `GET /health HTTP/1.1\r\n${host}Expect: 200-maybe\r\n\r\n`,
    'CONNECT 127.0.0.1:1 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n',
    `GET /health HTTP/1.1\r\n${host}`,
    'GET /hea',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  ]
  return { kind: 'head', pieces: cut(draw, Buffer.from(pick(draw, heads), 'latin1')), wanted: ['none'] }
}

/** Random bytes; a TLS greeting; a right request with bytes changed in its head. */
function garbage(draw: Draw): Malformed {
  const noise = Buffer.from(Array.from({ length: 1 + Math.floor(300 * draw()) }, () => Math.floor(256 * draw())))
  const hello = Buffer.from('16030100a50100a10303', 'hex')
  const bytes = pick(draw, [noise, Buffer.concat([hello, noise]), Buffer.concat([Buffer.from('GET '), noise])])
  return { kind: 'garbage', pieces: cut(draw, bytes), wanted: ['none'] }
}

/** Right and wrong requests in one write; answers come in order. */
function pipelined(draw: Draw, schemas: Schemas, names: Names): Malformed {
  const right: Malformed = { kind: 'health', pieces: [request('GET', '/health', [])], wanted: ['answered'] }
  const list = Array.from({ length: 2 + Math.floor(5 * draw()) }, () =>
    pick(draw, [() => right, valueWrong, textWrong])(draw, schemas, names),
  )
  const bytes = Buffer.concat(list.flatMap(({ pieces }) => pieces))
  return { kind: 'pipelined', pieces: cut(draw, bytes), wanted: list.flatMap(({ wanted }) => wanted) }
}

/** `any` for a body that fits its schema: whether its words mean something is not known here. */
function wantedOf(schema: JsonSchema, bytes: Uint8Array): Wanted {
  try {
    return fits(schema, JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))) ? 'any' : 'refused'
  } catch {
    return 'refused'
  }
}

/** Bodies that fit, a few for each path; texts are short, for what fits may run. */
function valid({ model, head }: Names): Readonly<Record<string, readonly object[]>> {
  const text = 'A dog and a cat.'
  const written = { max_tokens: 2, temperature: 0, stop: ['.'], seed: 3, stream: false, n: 1 }
  return {
    '/v1/embeddings': [
      { model, input: text, encoding_format: 'base64', layers: [0, -1] },
      { input: [text, ''], dimensions: 8, user: 'me', truncate: true, layers: 'all' },
      { input: [[5, 6], [7]], encoding_format: 'float' },
      { input: [5, 6, 7], model: `${model}#mean:0-1` },
    ],
    '/v1/completions': [
      { model, prompt: text, ...written },
      { prompt: [[5, 6]], echo: true, logprobs: 1, max_tokens: 0 },
    ],
    '/v1/chat/completions': [
      { messages: [{ role: 'user', content: text }], ...written },
      { messages: [{ role: 'user', content: [{ type: 'text', text }], name: 'me' }], max_completion_tokens: 2 },
    ],
    '/embed': [{ inputs: [text], normalize: false, truncate: true, truncation_direction: 'Right', dimensions: 4 }],
    '/embed_all': [{ inputs: text, model: `${model}#h1`, prompt_name: null }],
    '/predict': [{ model: head, inputs: [[text], text], raw_scores: true, truncate: true }],
    '/rerank': [{ model: head, query: text, texts: [text, ''], return_text: true, raw_scores: true }],
    '/tokenize': [{ inputs: [text], add_special_tokens: false, model }],
  }
}

/** One place of a value changed: another type, gone, doubled, wrapped, or a field that nobody knows. */
function changed(draw: Draw, value: unknown): unknown {
  const isList = Array.isArray(value)
  if (typeof value !== 'object' || value === null || draw() < 0.1) return pick(draw, hostile)
  const entries = Object.entries(value)
  const [name, inner] = pick(draw, entries.length === 0 ? [['', null] as const] : entries)
  const replaced = (to: unknown): unknown =>
    isList ? entries.map(([key, one]) => (key === name ? to : (one as unknown))) : { ...value, [name]: to }
  return pick(draw, [
    () => replaced(changed(draw, inner)),
    () => replaced(pick(draw, hostile)),
    () => replaced([inner]),
    () => (isList ? [...value, pick(draw, hostile)] : { ...value, [pick(draw, strangers)]: pick(draw, hostile) }),
    () => {
      const rest = entries.filter(([key]) => key !== name)
      return isList ? rest.map(([, one]) => one as unknown) : Object.fromEntries(rest)
    },
  ])()
}

const nested = (depth: number): unknown => Array.from({ length: depth }).reduce((inner) => [inner], 0)

// prettier-ignore
const hostile: readonly unknown[] = [
  null, true, false, -1, 0, 0.5, 1e308, -1e308, 2 ** 53, 2 ** 31, -(2 ** 31), 1e21, 5e-324,
  '', 'x', 'null', '\0', '\ud800', '\udfff x', '\u202e', '#', '#h99', '../../etc/passwd', '__proto__', 'constructor',
  'x'.repeat(2000), 'file:///etc/passwd', '🦕'.repeat(300), '%s%n', '${7*7}', '{{7*7}}',
  [], {}, [[]], [null], [''], [0], ['x', 1], [[1], ['x']], [1, [2]], { a: 1 }, { length: 3 }, { type: 'text' },
  nested(50), nested(300), Array.from({ length: 2100 }, () => ''), Array.from({ length: 2100 }, () => 0),
]

const strangers = ['inptu', 'Input', 'input ', '', '__proto__', 'constructor', 'toString', 'a'.repeat(500), '\0', '0']

// prettier-ignore
const tokens = [
  'NaN', 'Infinity', '-', '//', '/**/', "'", '"', '\\', '\\u00', '\\x', ',', ':', '{', '}', '[', ']', '01', '1e',
  '1e99999', '-0', 'undefined', '\0', '\t', '\n', '\u{feff}', '9'.repeat(400), '['.repeat(300), '{"a":'.repeat(300),
].map((token) => Buffer.from(token))
const notUtf8 = ['ff', 'c0af', 'eda080', 'f4908080', 'e282', '80', 'c3'].map((bytes) => Buffer.from(bytes, 'hex'))

/** A few bytes gone, doubled, changed or put in. */
function broken(draw: Draw, bytes: Buffer): Buffer {
  const [at, to] = [draw(), draw()].map((one) => Math.floor(one * (bytes.length + 1))).sort((a, b) => a - b) as [
    number,
    number,
  ]
  const [head, middle, tail] = [bytes.subarray(0, at), bytes.subarray(at, to), bytes.subarray(to)]
  const put = (piece: Uint8Array): Buffer => Buffer.concat([head, piece, middle, tail])
  return pick(draw, [
    () => head,
    () => Buffer.concat([head, tail]),
    () => put(middle),
    () => put(pick(draw, tokens)),
    () => put(pick(draw, notUtf8)),
    () => put(Buffer.of(Math.floor(256 * draw()))),
  ])()
}

const json = 'Content-Type: application/json\r\n'

function line(method: string, path: string): string {
  return `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n`
}

function post(path: string, body: Uint8Array): Buffer {
  return request('POST', path, ['Content-Type: application/json'], body)
}

function request(method: string, path: string, headers: readonly string[], body?: Uint8Array): Buffer {
  const length = body === undefined ? [] : [`Content-Length: ${body.length}`]
  const head = `${line(method, path)}${[...headers, ...length].map((one) => `${one}\r\n`).join('')}\r\n`
  return Buffer.concat([Buffer.from(head, 'latin1'), body ?? Buffer.alloc(0)])
}

/** Mostly whole; otherwise at up to three places. */
function cut(draw: Draw, bytes: Buffer): Buffer[] {
  if (draw() < 0.7) return [bytes]
  const places = [0, draw(), draw(), 1].map((one) => Math.floor(one * bytes.length)).sort((a, b) => a - b)
  return places.slice(1).map((end, i) => bytes.subarray(places[i], end))
}

function pick<T>(draw: Draw, list: readonly T[]): T {
  return list[Math.floor(draw() * list.length)]!
}

function repeat<T>(times: number, value: T): T[] {
  return Array.from({ length: times }, () => value)
}
