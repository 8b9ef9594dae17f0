/** Every port against the function it stands for, on recorded rows (bench/golden/harness_ports.py). */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Doc } from '#task/harness'
import type { Answer, Item, Port } from '../../../../src/task/harness/ports/port.ts'
import { mathPorts } from '../../../../src/task/harness/ports/math/math-table.ts'
import { ports } from '../../../../src/task/harness/ports/table.ts'

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

const recorded = JSON.parse(readFileSync(join(import.meta.dirname, 'golden', 'ports.json'), 'utf8')) as { cases: readonly Case[] }
const byKey = new Map<string, Case[]>()
for (const one of recorded.cases) byKey.set(one.key, [...(byKey.get(one.key) ?? []), one])

function outcome(port: Port | undefined, { kind, rows = [], doc = {}, answers = [], items = [], responses = [], options = {} }: Case): unknown {
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
  test.each(cases.map((one, i) => [i, one] as const).filter(([, { failed }]) => failed === undefined))('case %i', (_, one) => {
    expect(rounded(outcome(ports[key], one))).toEqual(rounded(one.result))
  })
})

test('a number in words that the reference stops at is none', () => {
  const failed = recorded.cases.filter((one) => one.failed !== undefined)
  expect(failed.map(({ key, responses }) => [key, responses])).toEqual([['bbh/zeroshot/utils.py#NumberParseRegexFilter', [['trillion']]]])
  expect(failed.map((one) => outcome(ports[one.key], one))).toEqual([[['[invalid]']]])
})

test('every function that has a port has recorded cases', () => {
  const without = Object.keys(ports).filter(
    (key) => !byKey.has(key) && !key.includes('ifeval') /* golden/ifeval.json */ && !Object.hasOwn(mathPorts, key) /* math/golden/answers.json */,
  )
  expect(without).toEqual([])
})
