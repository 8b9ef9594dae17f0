/** The built program as a child process, with an environment of its own. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'

export const repo: string = join(import.meta.dirname, '..', '..')

export interface Ran {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  env?: Record<string, string>
  cwd?: string
  input?: string
  /** Kill as soon as this says so; asked every 5 ms. */
  killWhen?: () => boolean
  /** Default SIGKILL. */
  killBy?: NodeJS.Signals
  /** A file descriptor instead of a pipe. */
  stdout?: number
  /** Close the pipe after its first piece, as `head` does. */
  closeEarly?: boolean
}

/** Runs `strata …args` from dist and gathers what it printed. */
export function strata(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const { env = {}, cwd = repo, input, killWhen, killBy = 'SIGKILL', closeEarly = false } = options
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(repo, 'dist/cli/main.js'), ...args], {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['pipe', options.stdout ?? 'pipe', 'pipe'],
    })
    let [stdout, stderr] = ['', '']
    child.stdout?.on('data', (chunk: Buffer) => {
      stdout += chunk.toString()
      if (closeEarly) child.stdout?.destroy()
    })
    child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
    const timer =
      killWhen === undefined
        ? undefined
        : setInterval(() => {
            if (!killWhen()) return
            clearInterval(timer)
            child.kill(killBy)
          }, 5)
    child.on('error', reject)
    child.on('close', (code, signal) => {
      clearInterval(timer)
      resolve({ code, signal, stdout, stderr })
    })
    child.stdin?.end(input ?? '')
  })
}
