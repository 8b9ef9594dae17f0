/**
 * YAML as PyYAML's `safe_load` reads it (YAML 1.1 with its own narrowings), for files that are written for Python
 * programs.
 */
import { createRequire } from 'node:module'
import type * as Yaml from 'yaml'
import type { CollectionTag, Document, LineCounter, Scalar, ScalarTag, YAMLError } from 'yaml'
import { fault } from '#core'
import { MAX_YAML_ALIASES } from './limits.ts'
import { checkDepth, checkLength, inexact, isExact } from './yaml.ts'

/** A float that is a whole number: Python prints it with its point. */
export interface WholeFloat {
  readonly kind: 'float'
  readonly value: number
}

export interface PythonYamlOptions {
  /** What a scalar with this local tag (`!function`) stands for. Other tags are refused, as PyYAML refuses them. */
  readonly tags?: Readonly<Record<string, (text: string) => unknown>> | undefined
}

/**
 * The one document of a YAML text. `yes`, `no`, `on`, `off` are booleans, `1e3` is a text and `1.0e+3` a number, `010`
 * is eight, of two equal keys the later one counts. Floats that are whole come as `WholeFloat`. Dates stay texts.
 * Faults: `format.yaml` with line and column,
 * `format.limit`.
 */
export function parsePythonYaml(text: string, place: string, { tags = {} }: PythonYamlOptions = {}): unknown {
  checkLength(text, place)
  const { document, second, lines } = compose(text, tags)
  if (document === undefined) return null
  const flaw = document.errors[0] ?? document.warnings.find(({ code }) => code === 'TAG_RESOLVE_FAILED')
  if (second !== undefined || flaw !== undefined) {
    const { line, col } = lines.linePos(flaw?.pos[0] ?? second?.range[0] ?? 0)
    const what = flaw === undefined ? 'more than one document' : (flaw.message.split(/ at line |\n/)[0] ?? flaw.code)
    throw fault('format.yaml', { place: `${place}:${line}:${col}`, what, cause: flaw })
  }
  const value = plain(() => document.toJS({ maxAliasCount: MAX_YAML_ALIASES }) as unknown, place)
  checkDepth(value, place)
  return value
}

interface Composed {
  readonly document: Document.Parsed | undefined
  readonly second: Document.Parsed | undefined
  readonly lines: LineCounter
}

function compose(text: string, tags: NonNullable<PythonYamlOptions['tags']>): Composed {
  const { LineCounter, parseAllDocuments } = yaml()
  const named: ScalarTag[] = Object.entries(tags).map(([tag, resolve]) => ({ tag, resolve }))
  const once = (from: string): Composed => {
    const lines = new LineCounter()
    const documents = parseAllDocuments(from, {
      version: '1.1',
      schema: 'failsafe',
      merge: true,
      resolveKnownTags: false,
      uniqueKeys: false,
      lineCounter: lines,
      customTags: (base) => [
        ...(base as (CollectionTag | ScalarTag)[]).filter(({ tag }) => tag !== textTag.tag),
        ...plainScalars,
        textTag,
        ...named,
      ],
    })
    const [document, second] = 'empty' in documents ? [] : documents
    return { document, second, lines }
  }
  // PyYAML lets a quoted text continue at any column, the specification only further in than its key. The white space
  // there means nothing.
  let composed = once(text)
  let indented = text
  for (let tries = 0; tries < mostIndented; tries++) {
    const flaw = composed.document?.errors[0]
    const line = flaw === undefined ? undefined : lineOfOpenText(indented, flaw)
    if (line === undefined) break
    indented = `${indented.slice(0, line)}${margin}${indented.slice(line)}`
    composed = once(indented)
  }
  return composed
}

/** Where the line begins at which a quoted text was broken off, if that is the flaw. */
function lineOfOpenText(text: string, { code, message, pos: [at] }: YAMLError): number | undefined {
  if (code === 'MISSING_CHAR' && message.startsWith('Missing closing')) {
    const end = text.indexOf('\n', at)
    return end < 0 ? undefined : end + 1
  }
  const line = text.lastIndexOf('\n', at - 1) + 1
  if (code !== 'UNEXPECTED_TOKEN' || text.slice(line, at).trim() !== '') return undefined
  let [read, last] = [0, '']
  for (const part of new (yaml().Lexer)().lex(text)) {
    if (read >= at) break
    // control characters stand for the beginning of documents and plain texts
    if (controls.has(part)) continue
    read += part.length
    if (part.trim() !== '') last = part
  }
  return /^(?:"(?:[^"\\]|\\[^])*|'(?:[^']|'')*)$/.test(last) ? line : undefined
}

const controls: ReadonlySet<string> = new Set(['\u0002', '\u0018', '\u001f'])

/** Lines of quoted texts that stand too far left, at most, in one file. */
const mostIndented = 50
const margin = ' '.repeat(20)

function plain(make: () => unknown, place: string): unknown {
  try {
    return make()
  } catch (cause) {
    throw fault('format.yaml', {
      place,
      what: 'aliases that point nowhere, into themselves, or repeat too much',
      cause,
    })
  }
}

const yaml = (): typeof Yaml => createRequire(import.meta.url)('yaml') as typeof Yaml

const wholeFloat = (value: number): number | WholeFloat => (Number.isInteger(value) ? { kind: 'float', value } : value)

/** Implicit scalars, as PyYAML's resolver recognizes them (resolver.py): the first that fits. */
const plainScalars: ScalarTag[] = [
  scalar('bool', /^(?:yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF)$/, (text) =>
    /^(?:yes|true|on)$/i.test(text),
  ),
  scalar('int', /^[-+]?(?:0b[01_]+|0x[0-9a-fA-F_]+|0[0-7_]*|[1-9][0-9_]*)$/, integer),
  scalar('int', /^[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+$/, (text) => sexagesimal(text)),
  scalar(
    'float',
    /^(?:[-+]?(?:[0-9][0-9_]*)\.[0-9_]*(?:[eE][-+][0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/,
    float,
  ),
  scalar('float', /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*$/, (text) => wholeFloat(sexagesimal(text))),
  scalar('null', /^(?:~|null|Null|NULL|)$/, () => null),
]

const textTag: ScalarTag = { tag: 'tag:yaml.org,2002:str', default: true, resolve: (text) => text }

function scalar(kind: string, test: RegExp, resolve: ScalarTag['resolve']): ScalarTag {
  return {
    tag: `tag:yaml.org,2002:${kind}`,
    default: true,
    test,
    resolve,
    identify: (value): value is Scalar => value === undefined,
  }
}

function integer(written: string, refuse: (message: string) => void): number {
  const text = written.replaceAll('_', '')
  const sign = text.startsWith('-') ? -1 : 1
  const digits = text.replace(/^[-+]/, '')
  if (digits === '0') return 0
  const value = BigInt(digits.startsWith('0') && !/^0[bx]/.test(digits) ? `0o${digits.slice(1)}` : digits)
  if (!isExact(value)) refuse(`${inexact}: ${written}`)
  return sign * Number(value)
}

function float(written: string): number | WholeFloat {
  const text = written.replaceAll('_', '').toLowerCase()
  if (text.endsWith('.inf')) return text.startsWith('-') ? -Infinity : Infinity
  return text === '.nan' ? NaN : wholeFloat(Number(text))
}

function sexagesimal(written: string): number {
  const text = written.replaceAll('_', '')
  const parts = text.replace(/^[-+]/, '').split(':').map(Number)
  return (text.startsWith('-') ? -1 : 1) * parts.reduce((sum, part) => sum * 60 + part, 0)
}
