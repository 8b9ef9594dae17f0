/**
 * The built program in fewer and larger files, which a process loads in a third of the time: what tests import, and the
 * programs they start. Every module is there once, by whichever door a test comes in.
 */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'

const root = join(import.meta.dirname, '..')
const built = join(root, 'dist')
const home = join(root, '.cache', 'bundle')
/** A folder laid out as `dist` is. */
const bundle = join(home, 'dist')
const stamp = join(home, 'stamp.json')

interface Stamp {
  /** When the bundle was begun, as the file system tells the time. */
  readonly begun: number
  /** The bundle holds its place. */
  readonly root: string
  readonly entries: readonly string[]
  readonly files: readonly string[]
}

/** What a process or a thread starts with. */
const programs = /^cli\/main\.js$|(?:^|[/-])worker\.js$|-process-main\.js$/
/** What tests import by name: rooms, and the package with its doors. */
const doors = /(?:^|\/)index\.js$|^doors\//
/** What they import by its place among the sources. */
const sources = /['"](?:\.\.?\/)+src\/([\w./-]+)\.ts['"]/g

/** Bundles `dist`, unless nothing has changed: neither a module nor what the tests want of them. */
export async function bundleBuilt(): Promise<void> {
  const modules = modulesBelow(built)
  const entries = entriesAmong(modules)
  const last = existsSync(stamp) ? (JSON.parse(readFileSync(stamp, 'utf8')) as Stamp) : undefined
  const isOlder = (path: string): boolean => statSync(join(built, path)).mtimeMs < (last?.begun ?? 0)
  if (last?.root === root && last.entries.join() === entries.join() && modules.every(isOlder)) return
  mkdirSync(bundle, { recursive: true })
  writeFileSync(`${stamp}.begun`, '')
  const begun = statSync(`${stamp}.begun`).mtimeMs
  const files = await write(entries)
  layBeside()
  // The files of the bundle before stay: tests that are running may yet load them.
  const kept = new Set([...files, ...(last?.files ?? [])])
  for (const path of modulesBelow(bundle)) if (!kept.has(path)) rmSync(join(bundle, path))
  writeFileSync(`${stamp}.begun`, JSON.stringify({ begun, root, entries, files } satisfies Stamp))
  renameSync(`${stamp}.begun`, stamp)
}

function modulesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.js') && !clients.some((client) => path.startsWith(client)))
    .toSorted()
}

function entriesAmong(modules: readonly string[]): string[] {
  const tests = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.ts'),
  )
  const named = new Set(
    tests.flatMap((path) =>
      [...readFileSync(join(import.meta.dirname, path), 'utf8').matchAll(sources)].map(([, name]) => `${name}.js`),
    ),
  )
  return modules.filter((path) => programs.test(path) || doors.test(path) || named.has(path))
}

/** The paths of the files written, below the bundle's folder. */
async function write(entries: readonly string[]): Promise<string[]> {
  const { rolldown } = await import('rolldown')
  const build = await rolldown({
    cwd: root,
    platform: 'node',
    input: Object.fromEntries(entries.map((path) => [path, join(built, path)])),
    external: (id) => !/^[./#]/.test(id),
    // What is exported and never imported may still be a test's.
    treeshake: false,
    plugins: [
      {
        name: 'rooms',
        resolveId: { filter: { id: /^#/ }, handler: (id) => join(built, id.slice(1), 'index.js') },
        transform: { filter: { code: 'import.meta.url' }, handler: placed },
      },
    ],
  })
  const { output } = await build.generate({
    format: 'esm',
    entryFileNames: '[name]',
    chunkFileNames: 'chunks/[name]-[hash].js',
  })
  await build.close()
  for (const file of output) {
    const target = join(bundle, file.fileName)
    const text = file.type === 'chunk' ? file.code : file.source
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(`${target}.tmp`, text)
    renameSync(`${target}.tmp`, target)
  }
  return output.map(({ fileName }) => fileName)
}

/** A module finds workers and data from where it lies: its place in the bundle, of which only the folder may exist. */
function placed(code: string, id: string): { code: string; map: null } {
  const url = pathToFileURL(join(bundle, relative(built, id))).href
  return { code: code.replaceAll('import.meta.url', JSON.stringify(url)), map: null }
}

/** Scripts of pages. */
const clients = [join('result', 'report', 'client'), join('serve', 'board', 'client')]

/** What modules read beside themselves. */
function layBeside(): void {
  const links = [
    [join(root, 'assets'), join(home, 'assets')],
    [join(root, 'package.json'), join(home, 'package.json')],
    ...clients.map((client) => [join(built, client), join(bundle, client)] as const),
  ] as const
  for (const [target, link] of links) {
    mkdirSync(dirname(link), { recursive: true })
    rmSync(link, { force: true })
    symlinkSync(target, link)
  }
}
