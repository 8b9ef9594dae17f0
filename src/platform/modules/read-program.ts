/** A file of the user's own as a program that depends on nothing but itself and this package. */
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { fault, type PluginSource, sha256 } from '#core'

const endings = ['.ts', '.mts', '.js', '.mjs']

/**
 * Reads one file: its types are stripped, and names of this package become addresses of the one that runs, so that a
 * file need not lie below a `node_modules` with it. Throws `file.missing`; `plugin.invalid` with line and column for
 * syntax that is wrong or cannot be stripped, and for an import of anything else: the hash of this one file is part of
 * keys, and what another one says would not be.
 */
export async function readProgram(path: string): Promise<PluginSource> {
  if (!endings.includes(extname(path)))
    throw fault('usage.value', { place: path, what: 'is no program', wanted: endings.join(', ') })
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw fault('file.missing', { place: path, what: 'the plug-in cannot be read', cause })
  })
  const plain = await withoutTypes(bytes.toString('utf8'), path)
  return { path, sha256: sha256(bytes), code: await withAddresses(plain, path) }
}

/** Blanks in place of types: lines and columns stay those of the file. */
async function withoutTypes(text: string, path: string): Promise<string> {
  const { transformSync } = (await import('@swc/wasm-typescript')).default
  try {
    return transformSync(text, { mode: 'strip-only', module: true, filename: path }).code
  } catch (error) {
    const { message, startLine, startColumn } = error as { message?: string; startLine?: number; startColumn?: number }
    throw fault('plugin.invalid', {
      place: startLine === undefined ? path : `${path}:${startLine}:${(startColumn ?? 0) + 1}`,
      what: message ?? String(error),
    })
  }
}

async function withAddresses(code: string, path: string): Promise<string> {
  const { init, parse } = await import('es-module-lexer')
  await init
  const [imports] = parse(code)
  let out = ''
  let end = 0
  for (const { n: name, s: from, e: to, d: dynamic } of imports) {
    // import.meta
    if (dynamic === -2) continue
    const address = name === undefined || dynamic >= 0 ? undefined : ownAddress(name)
    if (address === undefined) throw foreignImport(code, from, name ?? code.slice(from, to), path)
    out += code.slice(end, from) + address
    end = to
  }
  return out + code.slice(end)
}

/** The address of a public door of the program that runs; undefined for any other name. */
function ownAddress(name: string): string | undefined {
  const [, door] = /^strata-lm(?:\/(\w+))?$/.exec(name) ?? []
  if (door === undefined && name !== 'strata-lm') return undefined
  try {
    const shipped = import.meta.resolve(name)
    const path = door === undefined ? 'index' : `doors/${door}`
    // `dist` and `lib` have the same doors, and a process loads one of the two
    return import.meta.url.endsWith('.ts') ? shipped : new URL(`../../${path}.js`, import.meta.url).href
  } catch {
    return undefined
  }
}

function foreignImport(code: string, at: number, name: string, path: string): Error {
  const before = code.slice(0, at).split('\n')
  return fault('plugin.invalid', {
    place: `${path}:${before.length}`,
    what: 'a plug-in imports only strata-lm and its doors, by name and at the top',
    seen: name,
    hint: 'put everything into the one file: its content is part of every key, and that of another file would not be',
  })
}
