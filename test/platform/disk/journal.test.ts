import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { addToJournal, readJournal, startJournal } from '#platform/disk'
import { scratchFolder } from '../../scratch.ts'

const { path } = scratchFolder()
const head = { work: 'one' }

describe('a journal', () => {
  test('gives back its pieces to whom it belongs, and to nobody else', async () => {
    await startJournal(path('own'), head)
    await addToJournal(path('own'), { piece: 1 })
    await addToJournal(path('own'), { piece: 2 }, { sync: true })
    expect(await readJournal(path('own'), head)).toEqual([{ piece: 1 }, { piece: 2 }])
    expect(await readJournal(path('own'), { work: 'two' })).toBeUndefined()
    expect(await readJournal(path('none'), head)).toBeUndefined()
  })

  test.each([
    ['in the middle of a line', '{"piece":2,"te'],
    ['before the end of a line', '{"piece":2}'],
    ['and something else wrote there', 'not JSON\n{"piece":3}\n'],
  ])('cut short %s goes on after the last whole piece', async (_, rest) => {
    await startJournal(path('cut'), head)
    await addToJournal(path('cut'), { piece: 1, text: 'é' })
    const before = readFileSync(path('cut'), 'utf8')
    appendFileSync(path('cut'), rest)
    expect(await readJournal(path('cut'), head)).toEqual([{ piece: 1, text: 'é' }])
    expect(readFileSync(path('cut'), 'utf8')).toBe(before)
    await addToJournal(path('cut'), { piece: 2 })
    expect(await readJournal(path('cut'), head)).toHaveLength(2)
  })

  test('of another is left as it is', async () => {
    writeFileSync(path('foreign'), '{"work":"two"}\n{"cut')
    await readJournal(path('foreign'), head)
    expect(readFileSync(path('foreign'), 'utf8')).toBe('{"work":"two"}\n{"cut')
  })

  test('without a head has pieces from the first line on', async () => {
    await addToJournal(path('headless'), { rows: 1 })
    expect(await readJournal(path('headless'))).toEqual([{ rows: 1 }])
  })
})
