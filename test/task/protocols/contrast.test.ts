import { describe, expect, test } from 'vitest'
import { matrix } from '#core'
import { anchorScores, contrastIntervals, contrastScores } from '../../../src/task/protocols/contrast-scores.ts'
import { legacyScore } from '../../../src/task/protocols/contrast-legacy.ts'
import { scoreContrast } from '../../../src/task/protocols/contrast.ts'

type Part = Parameters<typeof scoreContrast>[0]
type Context = Parameters<typeof scoreContrast>[1]

describe('scores by hand', () => {
  const contrasts = {
    positives: Float64Array.of(0.9, 0.5),
    negatives: [Float64Array.of(0.1, 0.5), Float64Array.of(0.5, 0.9)],
  }

  test('AUC with half for ties, accuracy and rank with ties against the positive', () => {
    // 0.9: 1 + 1 + 1 + 1/2; 0.5: 1 + 1/2 + 1/2 + 0; of 8 pairs
    expect(contrastScores(contrasts).auc).toBeCloseTo(5.5 / 8, 12)
    // the second positive ties with one negative and loses to the other: rank 3
    expect(contrastScores(contrasts).accuracy_at_1).toBe(0.5)
    expect(contrastScores(contrasts).mrr).toBeCloseTo((1 + 1 / 3) / 2, 12)
    expect(contrastScores(contrasts).margin).toBeCloseTo((0.4 - 0.4) / 2, 12)
  })

  test('the mean of what each anchor gives is the score, and the interval holds it', () => {
    const scores = contrastScores(contrasts)
    const anchors = anchorScores(contrasts)
    for (const name of ['auc', 'accuracy_at_1', 'mrr', 'margin'] as const) {
      const parts = name === 'auc' ? anchors.aucParts : anchors[name]
      expect(parts.reduce((sum, value) => sum + value, 0) / 2).toBeCloseTo(scores[name], 12)
      const bounds = contrastIntervals(contrasts)?.[name]
      expect(bounds?.low).toBeLessThanOrEqual(scores[name] + 1e-12)
      expect(bounds?.high).toBeGreaterThanOrEqual(scores[name] - 1e-12)
    }
  })
})

test("an anchor's AUC is the share of its own negatives below its positive; its part of the AUC may pass 1", () => {
  const contrasts = {
    positives: Float64Array.of(0.9, 0.5),
    negatives: [Float64Array.of(0.1, 0.5), Float64Array.of(0.5, 0.9)],
  }
  const { auc, aucParts } = anchorScores(contrasts)
  // 0.9 beats both of its own; 0.5 ties with one of its own and loses to the other
  expect([...auc]).toEqual([1, 0.25])
  // 0.9 wins 3.5 of 4; its negatives 0.1 and 0.5 lose to 2 and 1.5 of 2 positives: 3.5/4 + (1 + 0.75)/2 − 5.5/8
  expect(aucParts[0]).toBeCloseTo(3.5 / 4 + 1.75 / 2 - 5.5 / 8, 12)
  expect(aucParts[0]).toBeGreaterThan(1)
})

test('the recorded overall quality from its six recorded parts', () => {
  // qwen25-deposium-1024d, quick evaluation of October 2025
  const parts = [0.5424323, 0.4344126, 0.3944658, 0.9495698, 0.7996161, 0.844994] as const
  // seven digits were recorded of each part
  expect(legacyScore(parts)).toBeCloseTo(0.68215016, 7)
})

describe('a space in which everything is similar', () => {
  const count = 12
  const width = 8
  const wave = (seed: number, k: number): number => Math.sin(7.3 * seed + 3.1 * k * k + seed * k)
  const part: Part = {
    kind: 'contrast',
    subset: 'default',
    split: 'test',
    anchors: Array.from({ length: count }, (_, i) => `a${i}`),
    positives: Array.from({ length: count }, (_, i) => `p${i}`),
    negatives: Array.from({ length: count }, (_, i) => [`n${i}`, `m${i}`, `o${i}`]),
  } as unknown as Part
  const seedOf = (text: string): number => text.charCodeAt(0) + Number(text.slice(1)) * 17
  const plain = (text: string): number[] => {
    // a positive is its anchor with noise, so that scores are above chance
    const own = Array.from({ length: width }, (_, k) => wave(seedOf(text), k))
    if (!text.startsWith('p')) return own
    return own.map((value, k) => value + 0.8 * wave(seedOf(`a${text.slice(1)}`), k))
  }
  const scored = async (vectorOf: (text: string) => number[]) => {
    const context = {
      task: { name: 'Contrast' },
      embed: (texts: readonly string[]) =>
        Promise.resolve(matrix(texts.length, width + 1, Float32Array.from(texts.flatMap((text) => vectorOf(text))))),
    } as unknown as Context
    return (await scoreContrast(part, context)).metrics
  }
  const centred = ['auc_centered', 'accuracy_at_1_centered', 'mrr_centered', 'margin_centered'] as const

  test.each([
    ['a constant vector added to all', (text: string) => [...plain(text).map((value) => value + 9), 5]],
    [
      'a narrow cone around a direction of its own',
      (text: string) => {
        const own = [...plain(text).map((value) => value * 0.05), 1]
        const norm = Math.hypot(...own)
        return own.map((value) => value / norm)
      },
    ],
  ])('%s raises the older score, and no centred one', async (_, vectorOf) => {
    const [before, after] = [await scored((text) => [...plain(text), 0]), await scored(vectorOf)]
    expect(Number(after['legacy_similarity'])).toBeGreaterThan(Number(before['legacy_similarity']) + 0.3)
    expect(Number(after['legacy_similarity'])).toBeGreaterThan(0.95)
    // float32 vectors of a cone hold fewer digits of what differs, and its edge is bent by 0.05²
    for (const name of centred) expect(Number(after[name])).toBeLessThanOrEqual(Number(before[name]) + 0.005)
    expect(Number(before['auc_centered'])).toBeGreaterThan(0.6)
  })
})
