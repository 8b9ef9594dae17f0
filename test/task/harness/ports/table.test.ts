/** Every port against the function it stands for, on recorded rows (oracles/harness_ports.py). */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Doc } from '#task/harness'
import type { Answer, Item, Port } from '../../../../src/task/harness/ports/port.ts'
import { portOf } from '../../../../src/task/harness/ports/find-port.ts'
import { mathPorts } from '../../../../src/task/harness/ports/math/math-table.ts'
import { ports, worded } from '../../../../src/task/harness/ports/table.ts'
import { wordings } from '../../../../src/task/harness/ports/wordings.ts'

interface Case {
  readonly key: string
  readonly kind: Port['kind']
  readonly rows?: readonly Doc[]
  readonly doc?: Doc
  readonly answers?: readonly Answer[]
  readonly items?: readonly Item[]
  readonly responses?: readonly (readonly string[])[]
  readonly options?: Readonly<Record<string, unknown>>
  readonly result?: unknown
  readonly failed?: string
}

interface Recorded {
  /** Literals of a function's file in their order, and its folder's name. */
  readonly wordings?: Readonly<
    Record<
      string,
      {
        readonly constants: readonly (string | number)[]
        readonly folder: string
        readonly exact: string
        readonly shape: string
      }
    >
  >
  readonly cases: readonly Case[]
}

const golden = (name: string): Recorded =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'golden', name), 'utf8')) as Recorded
const recorded = golden('ports.json')
const fromFiles = golden('worded-ports.json')

function grouped(cases: readonly Case[]): Map<string, Case[]> {
  const groups = new Map<string, Case[]>()
  for (const one of cases) groups.set(one.key, [...(groups.get(one.key) ?? []), one])
  return groups
}

const byKey = grouped(recorded.cases)
const byWordedKey = grouped(fromFiles.cases)

function outcome(
  port: Port | undefined,
  { kind, rows = [], doc = {}, answers = [], items = [], responses = [], options = {} }: Case,
): unknown {
  if (port?.kind !== kind) throw new Error(`no port of the kind ${kind}`)
  switch (port.kind) {
    case 'docs':
      return port.run(rows)
    case 'field':
      return port.run(doc)
    case 'results':
      return port.run(doc, answers)
    case 'aggregation':
      return port.run(items)
    case 'filter':
      return port.filter.make(options, 'test')(responses, rows).responses
    case 'metric':
    case 'samples':
      throw new Error(`no cases of the kind ${port.kind}`)
    default:
      return port satisfies never
  }
}

/** Numbers by twelve digits: sums in another order over at most 40 numbers. */
const rounded = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_, own: unknown) => (typeof own === 'number' ? Number(own.toPrecision(12)) : own))

describe.each([...byKey])('%s', (key, cases) => {
  test.each(cases.map((one, i) => [i, one] as const).filter(([, { failed }]) => failed === undefined))(
    'case %i',
    (_, one) => {
      expect(rounded(outcome(ports[key], one))).toEqual(rounded(one.result))
    },
  )
})

/** As a task file would find it: by fingerprints of the function's file. */
function foundByWording(key: string): Port | undefined {
  const wording = fromFiles.wordings?.[key]
  const [path = '', name = ''] = key.split('#')
  return wording === undefined
    ? undefined
    : portOf({ kind: 'function', file: `tasks/${path}`, name, key }, () => wording)
}

describe.each([...byWordedKey])('%s, with the texts of its file', (key, cases) => {
  test.each(cases.map((one, i) => [i, one] as const))('case %i', (_, one) => {
    expect(rounded(outcome(foundByWording(key), one))).toEqual(rounded(one.result))
  })
})

test('a number in words that the reference stops at is none', () => {
  const failed = recorded.cases.filter((one) => one.failed !== undefined)
  expect(failed.map(({ key, responses }) => [key, responses])).toEqual([
    ['bbh/zeroshot/utils.py#NumberParseRegexFilter', [['trillion']]],
  ])
  expect(failed.map((one) => outcome(ports[one.key], one))).toEqual([[['[invalid]']]])
})

test('every function that has a port has recorded cases', () => {
  const without = Object.keys(ports).filter(
    (key) =>
      !byKey.has(key) &&
      !key.includes('ifeval') /* golden/ifeval.json */ &&
      !Object.hasOwn(mathPorts, key) /* math/golden/answers.json */,
  )
  expect(without).toEqual([])
})

test('every function whose port takes texts from its file has recorded cases', () => {
  const cased = new Set(Array.from(byWordedKey.keys(), (key) => fromFiles.wordings?.[key]?.exact))
  expect(Object.keys(worded).filter((key) => !cased.has(wordings[key]?.exact))).toEqual([])
})
