import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type JournalKind, openJournal, readJournal } from '#platform/disk'
import { scratchFolder } from '../../scratch.ts'

const { path } = scratchFolder()

interface Piece {
  readonly piece: number
  readonly text?: string
}
const kind: JournalKind<Piece> = {
  name: 'pieces',
  isPiece: (value): value is Piece => typeof value === 'object' && value !== null && 'piece' in value,
}
const merge = (work: string): JournalKind<Piece> => ({ ...kind, name: 'merge', work })

/** Writes pieces as one run does, and ends it. */
async function run(name: string, pieces: readonly Piece[], of: JournalKind<Piece> = kind): Promise<readonly Piece[]> {
  const journal = await openJournal(path(name), of)
  await journal.add(pieces, { sync: true })
  await journal.close()
  return journal.pieces
}
const bytes = (name: string): string => readFileSync(path(name), 'latin1')

describe('a journal', () => {
  test('takes pieces of several workers at once, a line for each', async () => {
    const journal = await openJournal(path('several'), kind)
    await Promise.all([1, 2, 3, 4].map((piece) => journal.add([{ piece }], { sync: true })))
    await journal.close()
    const lines = bytes('several').split('\n')
    expect(lines.slice(1).toSorted()).toEqual(['', '{"piece":1}', '{"piece":2}', '{"piece":3}', '{"piece":4}'])
  })

  test('says in its first line what it holds, and gives back its pieces', async () => {
    expect(await readJournal(path('none'), kind)).toBeUndefined()
    expect(await run('own', [{ piece: 1 }])).toEqual([])
    expect(await run('own', [{ piece: 2 }, { piece: 3 }])).toEqual([{ piece: 1 }])
    expect(bytes('own').split('\n')).toEqual(['{"strata":"pieces"}', '{"piece":1}', '{"piece":2}', '{"piece":3}', ''])
    expect(await readJournal(path('own'), kind)).toEqual([{ piece: 1 }, { piece: 2 }, { piece: 3 }])
  })

  test.each([
    ['the middle of a line', '{"piece":2,"te', []],
    ['the end of a line without its break', '{"piece":2}', [{ piece: 2 }]],
  ])('cut short at %s loses no other piece, and reading changes nothing', async (what, rest, more) => {
    await run(what, [{ piece: 1, text: 'é' }])
    appendFileSync(path(what), rest)
    const before = bytes(what)
    expect(await readJournal(path(what), kind)).toEqual([{ piece: 1, text: 'é' }, ...more])
    expect(bytes(what)).toBe(before)
    await run(what, [{ piece: 3 }])
    expect(await readJournal(path(what), kind)).toEqual([{ piece: 1, text: 'é' }, ...more, { piece: 3 }])
    expect(bytes(what).split('\n')).toHaveLength(4 + more.length)
  })

  test.each([
    ['cut short', '{"piece":2,"te'],
    ['rubbish', '\u0000\u0000\u0000'],
    ['of another kind', '{"day":1}'],
    ['empty', ''],
  ])('with a line in its middle that is %s keeps the pieces before and after it', async (what, line) => {
    await run(what, [{ piece: 1 }])
    appendFileSync(path(what), `${line}\n{"piece":3}\n`)
    expect(await run(what, [{ piece: 4 }])).toEqual([{ piece: 1 }, { piece: 3 }])
    expect(await readJournal(path(what), kind)).toEqual([{ piece: 1 }, { piece: 3 }, { piece: 4 }])
  })

  test.each([
    ['whole', '{"piece":1}\n{"piece":2}\n', [{ piece: 1 }, { piece: 2 }]],
    ['with a bad first line', '{"pie\n{"piece":2}\n', [{ piece: 2 }]],
    ['with a bad line in its middle', '{"piece":1}\n{"pie\n{"piece":3}\n', [{ piece: 1 }, { piece: 3 }]],
    ['cut short', '{"piece":1}\n{"pie', [{ piece: 1 }]],
  ])('of an earlier release, without a first line, %s, is read and gone on with', async (what, content, pieces) => {
    writeFileSync(path(`old ${what}`), content)
    expect(await run(`old ${what}`, [{ piece: 9 }])).toEqual(pieces)
    expect(await readJournal(path(`old ${what}`), kind)).toEqual([...pieces, { piece: 9 }])
    expect(bytes(`old ${what}`)).toBe(`${content.slice(0, content.lastIndexOf('\n') + 1)}{"piece":9}\n`)
  })

  test.each([
    ['notes', 'buy milk\n'],
    ['notes without an end', 'buy milk'],
    ['an SQLite database', 'SQLite format 3\u0000\u0010\u0000\n\u0001'],
    ['a journal of another kind', '{"strata":"answers"}\n{"key":"a"}\n'],
    ['lines of JSON', '{"day":1}\n{"day":2}\n'],
    ['lines of JSON among which one looks like a piece', '{"piece":1}\n{"day":2}\n'],
    ['a number', '1\n'],
  ])('is refused to a file that holds %s, which stays as it is', async (what, content) => {
    writeFileSync(path(what), content, 'latin1')
    for (const open of [openJournal, readJournal])
      await expect(open(path(what), kind, { hint: 'name another' })).rejects.toMatchObject({
        code: 'usage.conflict',
        message: expect.stringContaining('not a journal of pieces'),
        hint: 'name another',
      })
    expect([bytes(what), existsSync(path(`${what}.lock`))]).toEqual([content, false])
  })

  test('is refused to a folder', async () => {
    mkdirSync(path('folder'))
    await expect(openJournal(path('folder'), kind)).rejects.toMatchObject({ code: 'usage.conflict' })
  })

  test.each([
    ['nothing', ''],
    ['the beginning of its first line', '{"strata":"pie'],
  ])('is begun where the file holds %s', async (what, content) => {
    writeFileSync(path(what), content)
    expect(await run(what, [{ piece: 1 }])).toEqual([])
    expect(bytes(what)).toBe('{"strata":"pieces"}\n{"piece":1}\n')
  })

  test('is written by one at a time, and read meanwhile', async () => {
    const first = await openJournal(path('shared'), kind)
    await first.add([{ piece: 1 }])
    await expect(openJournal(path('shared'), kind, { busy: 'at work', hint: 'wait' })).rejects.toMatchObject({
      code: 'usage.conflict',
      message: expect.stringMatching(/at work – process \d+$/),
      hint: 'wait',
    })
    expect(await readJournal(path('shared'), kind)).toEqual([{ piece: 1 }])
    await first.close()
    expect(await run('shared', [{ piece: 2 }])).toEqual([{ piece: 1 }])
  })

  test('of one piece of work is begun anew for another', async () => {
    await run('work', [{ piece: 1 }], merge('one'))
    expect(bytes('work')).toBe('{"merge":"one"}\n{"piece":1}\n')
    expect(await readJournal(path('work'), merge('two'))).toBeUndefined()
    expect(await readJournal(path('work'), merge('one'))).toEqual([{ piece: 1 }])
    expect(await run('work', [{ piece: 2 }], merge('two'))).toEqual([])
    expect(bytes('work')).toBe('{"merge":"two"}\n{"piece":2}\n')
    await openJournal(path('work'), merge('two'), { held: true, anew: true })
    expect(bytes('work')).toBe('{"merge":"two"}\n')
  })

  test('that others read as a table has no first line, and is known by its pieces', async () => {
    const table = { ...kind, table: true }
    expect(await run('table', [{ piece: 1 }], table)).toEqual([])
    expect(bytes('table')).toBe('{"piece":1}\n')
    expect(await run('table', [{ piece: 2 }], table)).toEqual([{ piece: 1 }])
    writeFileSync(path('table'), '{"pie')
    expect(await run('table', [{ piece: 3 }], table)).toEqual([])
    expect(bytes('table')).toBe('{"piece":3}\n')
    writeFileSync(path('table'), 'buy milk')
    await expect(run('table', [{ piece: 4 }], table)).rejects.toMatchObject({ code: 'usage.conflict' })
    expect(bytes('table')).toBe('buy milk')
  })

  test('with a line that is longer than a read', async () => {
    const long = { piece: 1, text: 'ä'.repeat(3_000_000) }
    await run('long', [long, { piece: 2 }])
    expect(await readJournal(path('long'), kind)).toEqual([long, { piece: 2 }])
  })
})
