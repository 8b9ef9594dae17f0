import { writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { openAnswers } from '../../../src/experiment/ask/answers.ts'
import { scratchFolder } from '../../scratch.ts'

const { path } = scratchFolder()
interface Answer {
  readonly text: string
}
const [asked, other] = [{ prompt: 'a' }, { prompt: 'b' }]

describe('answers that are kept', () => {
  test('are those of a model and a request, and of none besides', async () => {
    const file = path('one.jsonl')
    const first = await openAnswers<Answer>('model', { file })
    first.add(asked, { text: 'yes' })
    await first.close()
    const again = await openAnswers<Answer>('model', { file })
    expect([again.get({ prompt: 'a' }), again.get(other)]).toEqual([{ text: 'yes' }, undefined])
    await again.close()
    const another = await openAnswers<Answer>('another model', { file })
    expect(another.get(asked)).toBeUndefined()
    another.add(asked, { text: 'no' })
    await another.close()
    const last = await openAnswers<Answer>('model', { file })
    expect(last.get(asked)).toEqual({ text: 'yes' })
    // the first one stands
    last.add(asked, { text: 'other' })
    expect(last.get(asked)).toEqual({ text: 'yes' })
    await last.close()
  })

  test('list the open questions, each once; those that a run began and left are asked again', async () => {
    const file = path('two.jsonl')
    const first = await openAnswers<Answer>('model', { file })
    expect(first.begin([asked, other, asked])).toEqual([0, 1])
    first.add(asked, { text: 'yes' })
    await first.close()
    const again = await openAnswers<Answer>('model', { file })
    // both were asked together, and run together again
    expect(again.begin([asked, other])).toEqual([0, 1])
    again.add(other, { text: 'no' })
    expect(again.begin([asked, other])).toEqual([])
    await again.close()
  })

  test('of a file that is something else are refused', async () => {
    writeFileSync(path('other.jsonl'), 'SQLite format 3')
    await expect(openAnswers('model', { file: path('other.jsonl') })).rejects.toMatchObject({ code: 'usage.conflict' })
  })

  test('in one folder are of every process that keeps some there', async () => {
    const place = { folder: path('many') }
    const [first, second] = [await openAnswers<Answer>('model', place), await openAnswers<Answer>('model', place)]
    first.add(asked, { text: 'yes' })
    second.add(other, { text: 'no' })
    await Promise.all([first.close(), second.close()])
    const third = await openAnswers<Answer>('model', place)
    expect([third.get(asked), third.get(other)]).toEqual([{ text: 'yes' }, { text: 'no' }])
    await third.close()
  })
})
