/** Rooms as plain JavaScript in a temporary folder, for tests that need them in processes of their own. Types are stripped, nothing else is done. */
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'

/** Writes `src/<room>` below `folder` and returns the path of a room's door. */
export function buildRooms(folder: string, rooms: readonly string[]): (room: string) => string {
  const root = join(import.meta.dirname, '..')
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir')
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  for (const room of rooms)
    for (const name of readdirSync(join(root, 'src', room), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))) {
      const target = join(folder, 'src', room, name.replace(/\.ts$/, '.js'))
      mkdirSync(dirname(target), { recursive: true })
      const { outputText } = ts.transpileModule(readFileSync(join(root, 'src', room, name), 'utf8'), {
        compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext, verbatimModuleSyntax: true, rewriteRelativeImportExtensions: true },
      })
      writeFileSync(target, outputText)
    }
  return (room) => join(folder, 'src', room, 'index.js')
}
