import { expect, test } from 'vitest'
import { cardFields } from '#files/cards'

const card = (head: string): string => `---\n${head}\n---\n# A model\n`

test('lists the fields that the hub reads from a card, and those that are missing', () => {
  const { stated, missing, unclear } = cardFields(
    card(`license: apache-2.0
base_model: [org/a, org/b]
tags: [merge, strata]
color: red
model-index:
  - name: a
    results:
      - task: { type: STS }
        dataset: { name: MTEB STS17, type: mteb/sts17 }
        metrics: [{ type: cosine_spearman, value: 0.7 }, { type: cosine_pearson, value: 0.6 }]`),
  )
  expect(stated.map(({ name, text }) => `${name}: ${text}`)).toEqual([
    'license: apache-2.0',
    'base_model: org/a, org/b',
    'tags: merge, strata',
    'model-index: 2 scores of 1 data set',
  ])
  expect([missing, unclear]).toEqual([['language', 'library_name', 'pipeline_tag'], []])
})

test.each([
  ['no card', undefined, 'there is no README.md'],
  ['no front matter', '# A model\n', 'README.md has no front matter'],
  ['a list', card('- a\n- b'), 'the front matter is no mapping'],
  ['broken YAML', card('license: [mit'), 'README.md'],
])('%s states nothing, and says why', (_, text, why) => {
  const { stated, missing, unclear } = cardFields(text)
  expect([stated, missing.length]).toEqual([[], 6])
  expect(unclear).toEqual([expect.stringContaining(why)])
})

test('a licence that the hub does not know is pointed out', () => {
  expect(cardFields(card('license: Apache-2.0')).unclear).toEqual([])
  expect(cardFields(card('license: my-licence')).unclear).toEqual([
    'license: the hub has no identifier my-licence; write other, with license_name and license_link',
  ])
})
