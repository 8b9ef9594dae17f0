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
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '..')
const script = '../scripts/bundle.mjs'
const { bundleFiles, builtModules, programs } = (await import(script)) as {
  /** What a process or a thread starts with. */
  programs: RegExp
  builtModules: () => string[]
  bundleFiles: (entries: readonly string[]) => Promise<{ path: string; text: string | Uint8Array }[]>
}
const built = join(root, 'dist')
const home = join(root, '.cache', 'bundle')
/** A folder laid out as `dist` is. */
const bundle = join(home, 'dist')
const stamp = join(home, 'stamp.json')

interface Stamp {
  /** When the bundle was begun, as the file system tells the time. */
  readonly begun: number
  readonly entries: readonly string[]
  readonly files: readonly string[]
}

/** What tests import by name: rooms, and the package with its doors. */
const doors = /(?:^|\/)index\.js$|^doors\//
/** What they import by its place among the sources. */
const sources = /['"](?:\.\.?\/)+src\/([\w./-]+)\.ts['"]/g

/** Bundles `dist`, unless nothing has changed: neither a file nor what the tests want of them. */
export async function bundleBuilt(): Promise<void> {
  const entries = entriesAmong(builtModules())
  const last = existsSync(stamp) ? (JSON.parse(readFileSync(stamp, 'utf8')) as Stamp) : undefined
  const isOlder = (path: string): boolean => statSync(join(built, path)).mtimeMs < (last?.begun ?? 0)
  if (last?.entries.join() === entries.join() && filesBelow(built).every(isOlder)) return
  mkdirSync(bundle, { recursive: true })
  writeFileSync(`${stamp}.begun`, '')
  const begun = statSync(`${stamp}.begun`).mtimeMs
  const files = await write(entries)
  layBeside()
  // The files of the bundle before stay: tests that are running may yet load them.
  const kept = new Set([...files, ...(last?.files ?? [])])
  for (const path of filesBelow(bundle)) if (!kept.has(path)) rmSync(join(bundle, path))
  writeFileSync(`${stamp}.begun`, JSON.stringify({ begun, entries, files } satisfies Stamp))
  renameSync(`${stamp}.begun`, stamp)
}

/** Modules, scripts of pages and tables. */
function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => /\.js(?:on)?$/.test(path))
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
  const files = await bundleFiles(entries)
  for (const { path, text } of files) {
    const target = join(bundle, path)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(`${target}.tmp`, text)
    renameSync(`${target}.tmp`, target)
  }
  return files.map(({ path }) => path)
}

/** What modules read beside themselves. */
function layBeside(): void {
  const links = [
    [join(root, 'assets'), join(home, 'assets')],
    [join(root, 'package.json'), join(home, 'package.json')],
  ] as const
  for (const [target, link] of links) {
    mkdirSync(dirname(link), { recursive: true })
    rmSync(link, { force: true })
    symlinkSync(target, link)
  }
}
