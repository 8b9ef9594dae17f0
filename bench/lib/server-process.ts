/** `strata serve` as a process of its own on a free port. */
import { spawn, type ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { program } from './places.ts'

export interface ServerProcess {
  readonly address: string
  readonly child: ChildProcess
  /** What it wrote on its error output. */
  errors(): string
  /** Ends it and waits for its end. */
  stop(signal?: NodeJS.Signals): Promise<void>
}

/** Throws with its error output when it ends before it listens. */
export async function serverOf(
  models: readonly string[],
  {
    port = 0,
    args = [],
    nodeArgs = [],
  }: { port?: number; args?: readonly string[]; nodeArgs?: readonly string[] } = {},
): Promise<ServerProcess> {
  const words = [program, 'serve', ...models, '--port', String(port), '--json', ...args]
  const child = spawn(process.execPath, [...nodeArgs, ...words], { stdio: ['ignore', 'pipe', 'pipe'] })
  const [out, errors]: [string[], string[]] = [[], []]
  child.stderr.setEncoding('utf8').on('data', (text: string) => errors.push(text))
  const address = await new Promise<string>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => reject(new Error(`the server ended with ${code}: ${errors.join('')}`)))
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out.push(text)
      const found = /"address":"([^"]+)"/.exec(out.join(''))?.[1]
      if (found !== undefined) resolve(found)
    })
  })
  return {
    address,
    child,
    errors: () => errors.join(''),
    async stop(signal = 'SIGTERM') {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = new Promise((resolve) => child.once('close', resolve))
      child.kill(signal)
      await ended
    },
  }
}

/** Resident memory of a process now and at its highest, in MiB, as Linux counts it; NaN elsewhere. */
export function residentMiB(pid: number | undefined): { now: number; peak: number } {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const field = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024
    return { now: field('VmRSS'), peak: field('VmHWM') }
  } catch {
    return { now: NaN, peak: NaN }
  }
}
