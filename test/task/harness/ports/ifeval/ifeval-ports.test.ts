import { describe, expect, test } from 'vitest'
import { goldenOf } from '../../../../golden-of.ts'
import { ifevalPorts } from '../../../../../src/task/harness/ports/ifeval/ifeval-ports.ts'
import type { Answer, Item } from '../../../../../src/task/harness/ports/port.ts'
import type { Doc } from '../../../../../src/task/harness/doc.ts'

interface Golden {
  readonly responses: readonly string[]
  readonly cases: readonly {
    readonly instruction: string
    readonly settings: Doc
    readonly strict: string
    readonly loose: string
  }[]
}
const { responses, cases } = goldenOf<Golden>('task/harness/ports', 'ifeval')

function followed(doc: Doc, answers: readonly Answer[]): Readonly<Record<string, Item>> {
  const port = ifevalPorts['leaderboard/ifeval/utils.py#process_results']
  if (port?.kind !== 'results') throw new Error('no port')
  return port.run(doc, answers)
}

describe('every checker judges as the reference', () => {
  test.each(cases)('$instruction $settings', ({ instruction, settings, strict, loose }) => {
    const judged = responses.map((response) =>
      followed({ key: 0, prompt: '', instruction_id_list: [instruction], kwargs: [settings] }, [response]),
    )
    const differ = (metric: string, recorded: string) =>
      judged.flatMap((items, i) =>
        JSON.stringify(items[metric]) === (recorded[i] === '1' ? '[true]' : '[false]') ? [] : [responses[i]],
      )
    expect({ strict: differ('inst_level_strict_acc', strict), loose: differ('inst_level_loose_acc', loose) }).toEqual({
      strict: [],
      loose: [],
    })
  })
  test('there are 25', () => expect(new Set(cases.map(({ instruction }) => instruction)).size).toBe(25))
})

test('a prompt is followed when all its instructions are; their share is taken over all prompts', () => {
  const doc: Doc = {
    key: 1,
    prompt: 'p',
    instruction_id_list: ['punctuation:no_comma', 'startend:quotation'],
    kwargs: [{ num_words: null }, {}],
  }
  const items = [followed(doc, ['"yes"']), followed(doc, ['no'])]
  expect(items.map((item) => [item['prompt_level_strict_acc'], item['inst_level_loose_acc']])).toEqual([
    [true, [true, true]],
    [false, [true, false]],
  ])
  const port = ifevalPorts['ifeval/utils.py#agg_inst_level_acc']
  expect(port?.kind === 'aggregation' && port.run(items.map((item) => item['inst_level_strict_acc'] ?? null))).toBe(
    0.75,
  )
})

test('what a row leaves out is drawn the same every time', () => {
  const doc: Doc = {
    key: 1,
    prompt: 'p',
    instruction_id_list: ['keywords:letter_frequency'],
    kwargs: [{ letter: '!', let_frequency: 0 }],
  }
  expect(followed(doc, ['abc '.repeat(5)])).toEqual(followed(doc, ['abc '.repeat(5)]))
})

test('settings that no instruction takes are refused', () => {
  const doc: Doc = {
    key: 1,
    prompt: 'p',
    instruction_id_list: ['length_constraints:number_words'],
    kwargs: [{ num_words: 3, relation: 'about' }],
  }
  expect(() => followed(doc, ['a'])).toThrow(expect.objectContaining({ code: 'task.value' }) as Error)
  expect(() => followed({ ...doc, instruction_id_list: ['toString'] }, ['a'])).toThrow(
    expect.objectContaining({ code: 'task.value' }) as Error,
  )
})
