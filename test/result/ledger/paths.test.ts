import { basename, join, relative, sep } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { failurePath, itemsPath, resultFolder, resultPath } from '#result/ledger'

const place = {
  root: 'results',
  model: 'sentence-transformers/all-MiniLM-L6-v2',
  revision: '8b3219a',
  representation: 'default',
}

test('the default representation lies where mteb puts results, every other one in experiments', () => {
  expect(resultPath(place, 'STS17')).toBe(
    join('results', 'sentence-transformers__all-MiniLM-L6-v2', '8b3219a', 'STS17.json'),
  )
  expect(resultPath({ ...place, representation: 'h3' }, 'STS17')).toBe(
    join('results', 'sentence-transformers__all-MiniLM-L6-v2', '8b3219a', 'experiments', 'h3', 'STS17.json'),
  )
  expect(failurePath({ ...place, representation: 'h6+len128' }, 'SICK-R')).toBe(
    join(
      'results',
      'sentence-transformers__all-MiniLM-L6-v2',
      '8b3219a',
      'experiments',
      'h6+len128',
      'failed',
      'SICK-R.json',
    ),
  )
  expect(itemsPath(place, 'STS17')).toBe(
    join('results', 'sentence-transformers__all-MiniLM-L6-v2', '8b3219a', 'items', 'STS17.parquet'),
  )
})

test.each([
  ['a b/c', 'a_b__c'],
  ['merge__recipe', 'merge__recipe'],
  ['refs/pr/1', 'refs__pr__1'],
  ['MTEB(eng, v2)', 'MTEB(eng,_v2)'],
  ['日本語-модель', '日本語-модель'],
  ['..', '%2E%2E'],
  ['../../etc', '%2E.__..__etc'],
  ['.hidden', '%2Ehidden'],
  ['a:b*c?"<>|\\', 'a%3Ab%2Ac%3F%22%3C%3E%7C%5C'],
  ['100%', '100%25'],
  ['nul\u0000\n', 'nul%00%0A'],
  ['CON', '%43ON'],
  ['aux.json', '%61ux.json'],
  ['console', 'console'],
  ['half\ud800', 'half%ud800'],
  ['', '%'],
])('%j is the folder %s', (name, folder) => {
  expect(basename(resultFolder({ ...place, revision: name }))).toBe(folder)
})

test('a task named like the metadata does not overwrite it', () => {
  expect(basename(resultPath(place, 'model_meta'))).toBe('%6Dodel_meta.json')
})

describe('whatever the names', () => {
  const name = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom('.', '/', '\\', '%', '_', '~', 'a', ' ', '\u0000') }),
    fc.string({ minLength: 200, maxLength: 400 }),
  )

  test('a path never leaves the root and every part can be a file name', () => {
    fc.assert(
      fc.property(name, name, name, name, (model, revision, representation, task) => {
        const parts = relative('/out', resultPath({ root: '/out', model, revision, representation }, task)).split(sep)
        expect(parts).toHaveLength(representation === 'default' ? 3 : 5)
        for (const part of parts) {
          expect(['', '.', '..']).not.toContain(part)
          expect(Buffer.byteLength(part)).toBeLessThanOrEqual(190)
        }
      }),
      { numRuns: 500, seed: 5 },
    )
  })

  test('different names have different folders, but for those that mteb itself makes equal', () => {
    fc.assert(
      fc.property(name, name, (a, b) => {
        const asMteb = (text: string) => text.replaceAll('/', '__').replaceAll(' ', '_')
        fc.pre(asMteb(a) !== asMteb(b))
        expect(resultFolder({ ...place, revision: a })).not.toBe(resultFolder({ ...place, revision: b }))
      }),
      { numRuns: 1000, seed: 6 },
    )
  })
})
