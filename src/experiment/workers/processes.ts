/** Workers on this machine: the same command line in several processes. */
import { spawn } from 'node:child_process'

export interface StartOptions {
  /** The program and its arguments; `--worker NAME` is appended. */
  readonly command: readonly string[]
  readonly count: number
  /** Prefix of the workers' names, followed by a number. */
  readonly name: string
  readonly env?: Readonly<Record<string, string>> | undefined
  /** Receives each line of their standard error. */
  readonly onLine?: ((worker: string, line: string) => void) | undefined
  /** Passed on as SIGTERM. */
  readonly signal?: AbortSignal | undefined
}

export interface WorkerExit {
  readonly worker: string
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** Waits for all of them; none is restarted, because the others take over its jobs. */
export async function startWorkers({
  command,
  count,
  name,
  env = {},
  onLine,
  signal,
}: StartOptions): Promise<readonly WorkerExit[]> {
  const [program = '', ...args] = command
  return Promise.all(
    Array.from({ length: count }, (_, i) => {
      const worker = `${name}-${i + 1}`
      return new Promise<WorkerExit>((resolve, reject) => {
        const child = spawn(program, [...args, '--worker', worker], {
          env: { ...process.env, ...env },
          stdio: ['ignore', 'ignore', 'pipe'],
        })
        const stop = (): void => void child.kill('SIGTERM')
        signal?.addEventListener('abort', stop, { once: true })
        let rest = ''
        child.stderr.on('data', (piece: Buffer) => {
          const lines = (rest + piece.toString()).split(/\r?\n|\r/)
          rest = lines.pop() ?? ''
          for (const line of lines) if (line.trim() !== '') onLine?.(worker, line)
        })
        child.on('error', reject)
        child.on('close', (code, by) => {
          signal?.removeEventListener('abort', stop)
          if (rest.trim() !== '') onLine?.(worker, rest)
          resolve({ worker, code, signal: by })
        })
      })
    }),
  )
}
