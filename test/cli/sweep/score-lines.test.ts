import { expect, test } from 'vitest'
import type { ScoreCell, ScoreGrid } from '#result/statistics'
import { scoreLines } from '../../../src/cli/sweep/score-lines.ts'

const cell = (all: number): ScoreCell => ({ all, english: null, best: false })

/** Rows by name, one score a task. */
const grid = (rows: Record<string, (ScoreCell | undefined)[]>, severalModels = false): ScoreGrid => ({
  tasks: Array.from({ length: Object.values(rows)[0]?.length ?? 0 }, (_, i) => `Task${i}`),
  severalModels,
  rows: Object.entries(rows).map(([name, cells]) => ({ name, cells })),
})

test('the way through the layers stands below each task, in the order of the layers', () => {
  const lines = scoreLines(
    grid({
      h2: [cell(0.9), cell(0.2)],
      h0: [cell(0.1), cell(0.9)],
      h1: [cell(0.5), { failed: 'task.empty' }],
      default: [cell(0.3), cell(0)],
    }),
  )
  expect(lines.at(-1)?.split(/ {2,}/)).toEqual(['h0…h2', '▁▅█', '█ ▁'])
})

test('tasks below each other have it beside their name', () => {
  const lines = scoreLines(
    grid({
      h0: Array.from({ length: 7 }, () => cell(0.5)),
      h3: Array.from({ length: 7 }, (_, i) => cell(i === 0 ? 0.5 : 0.6)),
    }),
  )
  expect(lines[0]).toMatch(/^task +h0…h3 +h0 +h3$/)
  expect(lines.slice(2, 4).map((line) => line.split(/ {2,}/)[1])).toEqual(['▅▅', '▁█'])
})

test('each of several models has its own', () => {
  const lines = scoreLines(
    grid(
      {
        'a/m h0': [cell(0)],
        'a/m h1': [cell(1)],
        'b/m h0': [cell(1)],
        'b/m h1': [cell(0)],
        'b/m default': [cell(0.5)],
      },
      true,
    ),
  )
  expect(lines.slice(-2).map((line) => line.split(/ {2,}/))).toEqual([
    ['a/m h0…h1', '▁█'],
    ['b/m h0…h1', '█▁'],
  ])
})

test('states are known by their number, whatever the model was opened with; a state pooled otherwise is none of them', () => {
  const lines = scoreLines(
    grid({ 'h0+cls+prompt-own': [cell(0)], 'h1+cls+prompt-own': [cell(1)], 'h1-max': [cell(0.5)] }),
  )
  expect(lines.at(-1)?.split(/ {2,}/)).toEqual(['h0…h1', '▁█'])
})

test('one layer, or none, has no way', () => {
  expect(scoreLines(grid({ h4: [cell(0.5)], default: [cell(0.5)] })).join('\n')).not.toMatch(/[▁-█]/)
  expect(scoreLines(grid({ default: [cell(0.5)] })).join('\n')).not.toMatch(/[▁-█]/)
})
