import { expect, test } from 'vitest'
import { studyGrids } from '#experiment/locales'

test('weights are those of the sources; accuracies those of every model that was scored on a locale', () => {
  const locales = {
    'af-ZA': {
      models: { baseline: './af', average: 'recipes/af.yml' },
      sources: { 'de-DE': { model: './de', weight: 1 } },
    },
    'cy-GB': {
      models: { average: 'recipes/cy.yml' },
      sources: { 'af-ZA': { model: './af', weight: 0.25 }, 'de-DE': { model: './other-de', weight: 0.75 } },
    },
    'ja-JP': { models: { average: 'recipes/ja.yml' } },
  }
  const scores: Readonly<Record<string, number>> = {
    './af af-ZA': 0.9,
    './af cy-GB': 0.4,
    './de af-ZA': 0.6,
    './other-de cy-GB': 0.5,
    // of another model than the target's own source
    './de cy-GB': 0.1,
    'recipes/cy.yml cy-GB': 0.7,
  }
  const { weights, accuracies } = studyGrids(locales, (model, locale) => scores[`${model} ${locale}`])
  expect(weights).toEqual({
    targets: ['af-ZA', 'cy-GB'],
    sources: ['de-DE', 'af-ZA'],
    values: [
      [1, null],
      [0.75, 0.25],
    ],
  })
  expect(accuracies).toEqual({
    targets: ['af-ZA', 'cy-GB'],
    sources: ['de-DE', 'af-ZA'],
    values: [
      [0.6, 0.9],
      [0.5, 0.4],
    ],
  })
})

test('nothing is known where there is no source and no score', () => {
  const found = studyGrids({ 'af-ZA': { models: { baseline: './af' } } }, () => undefined)
  expect(found).toEqual({ weights: undefined, accuracies: undefined })
})
