/** Programs in processes of their own. */
import { spawn, type ChildProcess } from 'node:child_process'

/** A Node process running `program`, an ES module; its output comes line by line. */
export function start(
  program: string,
  args: readonly string[],
  onLine: (line: string) => void = () => undefined,
): ChildProcess {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program, '--', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
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
