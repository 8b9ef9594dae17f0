import { expect, test } from 'vitest'
import type { Progress } from '#core'
import { beginsAnew, progressLine } from '../../src/cli/program/terminal.ts'

const texts = (done: number, work?: Progress['work']): Progress => ({
  stage: 'encode',
  done,
  total: 1000,
  unit: 'texts',
  work,
})

test('the time left goes by the work, the rate by what is counted', () => {
  // 10 of 1000 texts, but a fifth of the tokens
  const line = progressLine(texts(10, { done: 2000, total: 10_000 }), texts(0, { done: 0, total: 10_000 }), 5)
  expect(line).toBe('encode  10 of 1,000 texts · 2 texts/s · 20 s left')
})

test('work done before the line began is not counted', () => {
  const line = progressLine(texts(20, { done: 3000, total: 10_000 }), texts(10, { done: 2000, total: 10_000 }), 5)
  expect(line).toBe('encode  20 of 1,000 texts · 2 texts/s · 35 s left')
})

test('without it the time left goes by what is counted', () => {
  expect(progressLine(texts(10), texts(0), 5)).toBe('encode  10 of 1,000 texts · 2 texts/s · 8 min left')
  expect(progressLine(texts(2), texts(0), 5)).toContain(' · 0.4 texts/s · ')
  expect(progressLine(texts(2), texts(0), 700)).toContain(' · 0.0029 texts/s · ')
  expect(progressLine({ ...texts(10), total: undefined }, texts(0), 5)).toBe('encode  10 texts · 2 texts/s')
})

test('rate and time left begin anew with each piece of work', () => {
  const before = texts(20)
  expect(beginsAnew(texts(30), before)).toBe(false)
  for (const other of [{ ...texts(30), total: 19_854 }, { ...texts(30), stage: 'search' }, texts(10)])
    expect(beginsAnew(other, before)).toBe(true)
  expect(beginsAnew(texts(0), undefined)).toBe(true)
})
