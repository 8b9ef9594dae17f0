/** `strata serve` in a process of its own, as long as something is asked of it. */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { program, repo } from './program.ts'

export async function running<T>(
  args: readonly string[],
  env: Record<string, string>,
  use: (address: string) => Promise<T>,
): Promise<{ used: T; code: number | null; printed: string }> {
  const child = spawn(process.execPath, [program, 'serve', ...args, '--port', '0', '--json'], {
    cwd: repo,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  child.stderr.on('data', (piece: Buffer) => (printed += piece.toString()))
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  try {
    const [line] = await Promise.race([
      new Promise<string[]>((resolve) => createInterface(child.stdout).once('line', (one) => resolve([one]))),
      ended.then(() => []),
    ])
    if (line === undefined) throw new Error(printed)
    const used = await use((JSON.parse(line) as { address: string }).address)
    child.kill('SIGTERM')
    return { used, code: await ended, printed }
  } finally {
    child.kill('SIGKILL')
  }
}
