/** Runs TypeScript of this repository in another process: the modules it needs are translated into a temporary folder first. */
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import ts from 'typescript'

const source = join(import.meta.dirname, '..', '..', '..', 'src')

/** Translates folders of src into `folder`, file by file, without looking at types. */
export async function translate(folder: string, rooms: readonly string[]): Promise<void> {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  for (const room of rooms) {
    for (const name of await readdir(join(source, room), { recursive: true })) {
      if (!name.endsWith('.ts')) continue
      const { outputText } = ts.transpileModule(await readFile(join(source, room, name), 'utf8'), {
        compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023, rewriteRelativeImportExtensions: true, verbatimModuleSyntax: true },
      })
      const path = join(folder, room, name.replace(/\.ts$/, '.js'))
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, outputText)
    }
  }
}

/** A Node process running `program`, an ES module beside the translated rooms; its output comes line by line. */
export function start(folder: string, program: string, args: readonly string[], onLine: (line: string) => void = () => undefined): ChildProcess {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program, '--', ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
  let rest = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    lines.forEach(onLine)
  })
  return child
}

/** Exit code, or the signal that ended it. */
export async function ended(child: ChildProcess): Promise<number | NodeJS.Signals | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode ?? child.signalCode
  return new Promise((resolve) => child.once('close', (code, signal) => resolve(code ?? signal)))
}
