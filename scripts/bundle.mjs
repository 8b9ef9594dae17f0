// The end of a build: `lib`, what the package ships – the modules of `dist` in fewer and larger files, which a process loads in a third of the time. Types stay in `dist`.
// Only Strata's own modules are in it: packages are imported by name, as in `dist`. The stamp says when all was built.
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, posix, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { wholeStamp } from './is-built.mjs'

const root = join(import.meta.dirname, '..')
const built = join(root, 'dist')
const shipped = join(root, 'lib')

/** What a process or a thread starts with. */
export const programs = /^cli\/main\.js$|(?:^|[/-])worker\.js$|-process-main\.js$/
const doors = /^index\.js$|^doors\//
/** Scripts of pages, which are read as texts. */
const client = /(?:^|\/)client\//

/** Modules of `dist`, by their paths below it. */
export function builtModules() {
  return filesBelow(built)
    .filter((path) => path.endsWith('.js') && !client.test(path))
    .toSorted()
}

/**
 * Files of a bundle of `dist`, laid out as it is: each entry at its place, what they share in `chunks`, and what modules
 * read next to themselves. Each module is there once, by whichever entry it is loaded; none is left out, since a table
 * may be filled by a module that exports nothing.
 *
 * @param {readonly string[]} entries paths below `dist`
 * @returns {Promise<{ path: string, text: string | Uint8Array }[]>}
 */
export async function bundleFiles(entries) {
  const { rolldown } = await import('rolldown')
  const build = await rolldown({
    cwd: root,
    platform: 'node',
    input: Object.fromEntries(entries.map((path) => [path, join(built, path)])),
    external: (id) => !/^[./#]/.test(id),
    treeshake: false,
    plugins: [
      {
        name: 'rooms',
        resolveId: { filter: { id: /^#/ }, handler: (id) => join(built, id.slice(1), 'index.js') },
        load: { filter: { id: /\.json$/ }, handler: table },
        transform: { filter: { code: 'import.meta.url' }, handler: marked },
        renderChunk: (code, { fileName }) => ({ code: placed(code, fileName), map: null }),
      },
    ],
  })
  const { output } = await build.generate({
    format: 'esm',
    entryFileNames: '[name]',
    chunkFileNames: 'chunks/[name]-[hash].js',
  })
  await build.close()
  const scripts = filesBelow(built).filter((path) => path.endsWith('.js') && client.test(path))
  return [
    ...output.map((file) => ({ path: file.fileName, text: file.type === 'chunk' ? file.code : file.source })),
    ...scripts.map((path) => ({ path, text: readFileSync(join(built, path), 'utf8') })),
  ]
}

/** A table stays a file: parsed as JSON it costs half of what it costs as a program. */
function table(id) {
  this.emitFile({ type: 'asset', fileName: relative(built, id), source: readFileSync(id, 'utf8') })
  const place = `new URL(${JSON.stringify(`./${posix.basename(id)}`)}, import.meta.url)`
  const code = `import { readFileSync } from 'node:fs'\nexport default JSON.parse(readFileSync(${place}, 'utf8'))\n`
  return { code: marked(code, id).code, moduleType: 'js' }
}

/** A module finds workers and data from its place in `dist`; the chunk that it ends up in is not yet known. */
function marked(code, id) {
  return { code: code.replaceAll('import.meta.url', `__placeOf(${JSON.stringify(relative(built, id))})`), map: null }
}

/** The same place in the bundle, of which only the folder may exist, seen from the chunk. */
function placed(code, chunk) {
  return code.replaceAll(/__placeOf\("([^"]+)"\)/g, (_, path) => {
    const to = posix.relative(dirname(chunk), path)
    return `new URL(${JSON.stringify(to.startsWith('.') ? to : `./${to}`)}, import.meta.url).href`
  })
}

/** Makes `lib` what `dist` asks for; a file that is already so stays, since a process may be loading it. */
export async function writeShipped() {
  const files = await bundleFiles(builtModules().filter((path) => programs.test(path) || doors.test(path)))
  const wanted = new Set(files.map(({ path }) => path))
  for (const path of filesBelow(shipped)) if (!wanted.has(path)) rmSync(join(shipped, path))
  for (const { path, text } of files) {
    const target = join(shipped, path)
    if (existsSync(target) && readFileSync(target).equals(Buffer.from(text))) continue
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, text)
  }
  // what `bin` needs
  chmodSync(join(shipped, 'cli', 'main.js'), 0o755)
}

function filesBelow(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await writeShipped()
  mkdirSync(dirname(wholeStamp), { recursive: true })
  writeFileSync(wholeStamp, '')
}
