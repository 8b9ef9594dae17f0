/**
 * The tables of .dependency-cruiser.mjs against the tree: what they allow is used, what stands in the tree is named by
 * them.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { suites } from './suites.ts'

const rules = '../.dependency-cruiser.mjs'
const { doors, guests, parts, rooms, wings } = (await import(rules)) as {
  doors: Record<string, readonly string[]>
  guests: Record<string, string>
  parts: Record<string, Record<string, readonly string[]>>
  rooms: Record<string, readonly string[]>
  wings: Record<string, readonly string[]>
}

const source = join(import.meta.dirname, '..', 'src')
const names = Object.keys(rooms)
const filesOf = (room: string): string[] =>
  readdirSync(join(source, room), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => join(source, room, path))

describe.each(Object.entries(rooms))('%s', (room, allowed) => {
  const text = filesOf(room).map((path) => readFileSync(path, 'utf8'))
  const imported = new Set(
    text.flatMap((file) => [...file.matchAll(/(?:from |import\()'#([^']+)'/g)].map(([, name]) => name ?? '')),
  )

  test('imports every room that it may import', () => {
    expect(allowed.filter((other) => !imported.has(other))).toEqual([])
  })

  test.skipIf(room === 'cli')(
    'has a door whose header says what comes in, what goes out, and what it never does',
    () => {
      const header = /^\/\*\*([\s\S]*?)\*\//.exec(readFileSync(join(source, room, 'index.ts'), 'utf8'))?.[1] ?? ''
      expect(header).toMatch(new RegExp(`^\\n \\* ${room.split('/').at(-1)}: `))
      expect(header).toContain('In: ')
      expect(header).toContain('Out: ')
      expect(header).toContain('Never: ')
    },
  )

  test('imports only rooms that stand before it', () => {
    expect(allowed.filter((other) => names.indexOf(other) >= names.indexOf(room))).toEqual([])
  })
})

describe.each(Object.entries(parts))('%s in parts', (room, own) => {
  const order = Object.keys(own)

  test('is a door and these folders', () => {
    const doors = room === 'cli' ? ['commands.ts', 'main.ts'] : ['index.ts']
    expect(readdirSync(join(source, room)).toSorted()).toEqual([...order, ...doors].toSorted())
  })

  test.each(Object.entries(own))('%s imports the parts that it may import, which stand before it', (part, allowed) => {
    const text = filesOf(join(room, part)).map((path) => readFileSync(path, 'utf8'))
    const imported = new Set(
      text.flatMap((file) => [...file.matchAll(/from '(?:\.\.\/)+([a-z-]+)\//g)].map(([, name]) => name ?? '')),
    )
    expect(allowed.filter((other) => !imported.has(other))).toEqual([])
    expect(allowed.filter((other) => order.indexOf(other) >= order.indexOf(part))).toEqual([])
  })
})

test('a wing holds rooms and nothing else', () => {
  const inWings = names.filter((room) => room.includes('/'))
  const wingsWithRooms = [...new Set(inWings.map((room) => room.split('/')[0] ?? ''))]
  expect(
    wingsWithRooms.flatMap((wing) => readdirSync(join(source, wing)).map((name) => `${wing}/${name}`)).toSorted(),
  ).toEqual(inWings.toSorted())
  expect(readdirSync(source).toSorted()).toEqual([...Object.keys(wings), 'doors', 'index.ts'].toSorted())
})

test('every public door has its file, and no file is without a door', () => {
  expect(readdirSync(join(source, 'doors')).toSorted()).toEqual(
    Object.keys(doors)
      .map((door) => `${door}.ts`)
      .toSorted(),
  )
})

test.each(Object.entries(doors))(
  'strata-lm/%s is a list of names out of the rooms that it may open',
  (door, opened) => {
    const text = readFileSync(join(source, 'doors', `${door}.ts`), 'utf8')
    expect(new Set([...text.matchAll(/from '#([^']+)'/g)].map(([, room]) => room))).toEqual(new Set(opened))
    // nothing but a header and lists of names
    expect(
      text.replace(/^\/\*\*[\s\S]*?\*\/\n/, '').replaceAll(/export (type )?\{[\w\s,]+\} from '#[^']+'\n/g, ''),
    ).toBe('')
  },
)

test.each(Object.entries(guests))('%s is named in %s', (guest, room) => {
  expect(filesOf(room).some((path) => new RegExp(`['"]${guest}(/[^'"]+)?['"]`).test(readFileSync(path, 'utf8')))).toBe(
    true,
  )
})

test('a file ends before line 400', () => {
  const lines = names
    .flatMap((room) => filesOf(room))
    .map((path) => [path, readFileSync(path, 'utf8').split('\n').length - 1] as const)
  expect(lines.filter(([, count]) => count > 400)).toEqual([])
})

describe('tests', () => {
  const tests = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts'))
    .map((path) => path.slice(0, -'.test.ts'.length))
  /** A file, or a folder whose members it tests. */
  const hasSource = (path: string): boolean => existsSync(join(source, `${path}.ts`)) || existsSync(join(source, path))

  test('have the path of their source, or a line in test/suites.ts', () => {
    expect(tests.filter((path) => !hasSource(path) && !Object.hasOwn(suites, path))).toEqual([])
  })

  test('of test/suites.ts are there, and have no source of their path', () => {
    expect(Object.keys(suites).filter((path) => !tests.includes(path) || hasSource(path))).toEqual([])
  })

  test("lie in a room's folder, or in one of the repository's other parts", () => {
    const folders = [...new Set(tests.map((path) => dirname(path)))]
    expect(
      folders.filter(
        (folder) => !['.', 'docs', 'examples', 'bench'].includes(folder) && !existsSync(join(source, folder)),
      ),
    ).toEqual([])
  })
})

/** Where a timer or a clock is what is tested, or what the tests wait with. The list may only become shorter. */
const clocks: Readonly<Record<string, string>> = {
  'ages.ts': 'times hours from their limits, for files and records',
  'cli/resident-program.mjs': 'looks again whether the program has ended',
  'experiment/workers/one-worker.mjs': 'jobs that take a while',
  'files/hub/processes.test.ts': 'a lock that beats while another waits for its silence',
  'files/hub/push-trouble.test.ts': 'a server says how long to wait, and that long is waited',
  'platform/linalg/ending.test.ts': 'a thread that never answers is given up',
  'until.ts': 'looks again whether something is so',
}

test('no test reads a clock', () => {
  const clock =
    /\b(setTimeout|setInterval|performance\.now|hrtime|Date\.now)\b|new Date\(\)|waitFor\(|AbortSignal\.timeout/
  const readers = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter(
    (path) =>
      /\.(ts|mjs)$/.test(path) &&
      path !== 'house.test.ts' &&
      clock.test(readFileSync(join(import.meta.dirname, path), 'utf8')),
  )
  expect(readers.toSorted()).toEqual(Object.keys(clocks))
})

/** Files that a limit of the lint passes over: inner loops that need their scalars, functions still to be divided. */
const exceptions: Readonly<Record<string, number>> = { 'eslint/max-params': 8, 'eslint/max-lines-per-function': 4 }

test.each(Object.entries(exceptions))('%s passes over no more files than before', (rule, most) => {
  const { overrides } = JSON.parse(readFileSync(join(source, '..', '.oxlintrc.json'), 'utf8')) as {
    overrides: readonly { files: readonly string[]; rules: Readonly<Record<string, unknown>> }[]
  }
  const passed = overrides.flatMap(({ files, rules: own }) => (own[rule] === 'off' ? files : []))
  expect(passed.filter((path) => path.startsWith('src/')).length).toBeLessThanOrEqual(most)
  expect(passed.filter((path) => path.startsWith('src/') && !existsSync(join(source, '..', path)))).toEqual([])
})
