import { describe, expect, test } from 'vitest'
import { evaluateTask, type EvaluateOptions } from '#task/protocols'
import type { RetrievalPart, TaskParams } from '#task/rows'
import { loaded, taskNamed } from './made-tasks.ts'
import { differences, goldenCases, recorded, type GoldenCase } from './recorded-vectors.ts'

interface Case extends GoldenCase {
  queryIds: string[]
  docIds: string[]
  qrels: Record<string, Record<string, number>>
  candidates: Record<string, string[]> | null
  changed: Record<string, string[]> | null
  params: Partial<TaskParams>
  scores: Record<string, unknown>
}

const cases = goldenCases<Case>('retrieval-tasks')

function partOf({ queryIds, docIds, qrels, candidates, changed }: Case): RetrievalPart {
  const texts = (prefix: string, ids: string[]): string[] => ids.map((_, i) => `${prefix}${i}`)
  return {
    languages: ['eng-Latn'],
    split: 'test',
    subset: 'default',
    queries: { ids: queryIds, texts: texts('q', queryIds) },
    corpus: { ids: docIds, texts: texts('d', docIds) },
    qrels: new Map(Object.entries(qrels).map(([query, grades]) => [query, new Map(Object.entries(grades))])),
    ...(candidates ? { candidates: new Map(Object.entries(candidates)) } : {}),
    ...(changed ? { changed: new Map(Object.entries(changed)) } : {}),
  }
}

async function scoresOf(given: Case, options: EvaluateOptions = {}) {
  const task = loaded(await taskNamed(given.task, given.params), {
    protocol: 'AbsTaskRetrieval',
    parts: [partOf(given)],
  })
  const { scores } = await evaluateTask(task, recorded(given.vectors), { similarity: given.similarity, ...options })
  return scores['test']?.[0] ?? {}
}

describe('retrieval tasks as mteb 2.26.24 scores them', () => {
  test.each(cases)('$task: $what', async (given) => {
    // means are rounded to 5 decimals; abstention areas divide differences of float32 similarities
    expect(differences(await scoresOf(given), given.scores, 1e-6)).toEqual([])
  })
})

const named = (task: string): Case => {
  const found = cases.find((given) => given.task === task)
  if (found === undefined) throw new Error(`no case of ${task}`)
  return found
}

test('a document that the corpus holds twice counts once', async () => {
  const given = named('SciFact')
  const { docIds, vectors } = given
  const twice = {
    ...given,
    docIds: [...docIds, ...docIds],
    vectors: {
      ...vectors,
      ...Object.fromEntries(docIds.map((_, i) => [`d${docIds.length + i}`, vectors[`d${i}`] ?? []])),
    },
  }
  expect(await scoresOf(twice)).toEqual(await scoresOf(given))
})

describe('a part that cannot be scored says why', () => {
  test.each<[string, Case]>([
    [
      'changed instructions without the judgements that changed',
      { ...named('Core17InstructionRetrieval'), changed: null },
    ],
    ['no query with both instructions', { ...named('Core17InstructionRetrieval'), changed: { nobody: ['d1'] } }],
    ['a pair of which one query is not asked', { ...named('NevIR'), queryIds: named('NevIR').queryIds.slice(1) }],
    [
      'no query of a level',
      { ...named('IFIRScifact'), queryIds: named('IFIRScifact').queryIds.map((id) => id.replace('_v3', '_v2')) },
    ],
    ['a candidate that the corpus lacks', { ...named('AskUbuntuDupQuestions'), candidates: { q0: ['nowhere'] } }],
    [
      'the same vector for every text',
      {
        ...named('SciFact'),
        vectors: Object.fromEntries(Object.keys(named('SciFact').vectors).map((text) => [text, [1, 2]])),
      },
    ],
  ])('%s', async (_, given) => {
    await expect(scoresOf(given)).rejects.toMatchObject({ code: 'task.value' })
  })
})
