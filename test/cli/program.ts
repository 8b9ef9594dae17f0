/**
 * The built program. A command runs in a process that has run others (`resident-program.mjs`), which spares it start-up;
 * what is about the process itself – signals, standard input, who reads its output – gets one of its own.
 */
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { until } from '../until.ts'

export const repo: string = join(import.meta.dirname, '..', '..')
/** The file that Node starts. */
export const program: string = join(repo, '.cache', 'bundle', 'dist', 'cli', 'main.js')

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
  /** A process of its own, where nothing above asks for one. */
  alone?: boolean
}

/** Runs `strata …args` and gathers what it printed. */
export function strata(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const { input, killWhen, stdout, closeEarly, env, alone = false } = options
  const needsOwn = alone || input !== undefined || killWhen !== undefined || stdout !== undefined || closeEarly === true
  return needsOwn || env?.['NODE_OPTIONS'] !== undefined ? runAlone(args, options) : runResident(args, options)
}

function runAlone(args: readonly string[], options: RunOptions): Promise<Ran> {
  const { env = {}, cwd = repo, input, killWhen, killBy = 'SIGKILL', closeEarly = false } = options
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...args], {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['pipe', options.stdout ?? 'pipe', 'pipe'],
    })
    const stdout = gathered(child.stdout, () => closeEarly && child.stdout?.destroy())
    const stderr = gathered(child.stderr, () => undefined)
    let over = false
    if (killWhen !== undefined) void until(() => over || killWhen()).then(() => child.kill(killBy), reject)
    child.on('error', reject)
    child.on('close', (code, signal) => {
      over = true
      resolve({ code, signal, stdout: stdout.bytes().toString(), stderr: stderr.bytes().toString() })
    })
    child.stdin?.end(input ?? '')
  })
}

/** Residents that run nothing now; a command takes one, or starts one. */
const resting: ChildProcess[] = []
/** A resident that has grown larger, in bytes, is not kept. */
const memoryLimit = 1.5e9

function runResident(args: readonly string[], { env = {}, cwd = repo }: RunOptions): Promise<Ran> {
  const resident = resting.pop() ?? startResident()
  const end = Buffer.from(`\u0000${randomUUID()}\u0000`)
  return new Promise((resolve, reject) => {
    const stdout = gathered(resident.stdout, () => finishIfWhole())
    const stderr = gathered(resident.stderr, () => finishIfWhole())
    let done: { readonly code: number; readonly memory: number } | undefined
    const finish = (code: number | null, signal: NodeJS.Signals | null): void => {
      for (const each of [resident, resident.stdout, resident.stderr]) each?.removeAllListeners()
      const text = (output: Gathered): string => output.bytes().toString().replace(end.toString(), '')
      resolve({ code, signal, stdout: text(stdout), stderr: text(stderr) })
    }
    const finishIfWhole = (): void => {
      if (done === undefined || !stdout.endsWith(end) || !stderr.endsWith(end)) return
      finish(done.code, null)
      if (done.memory < memoryLimit) resting.push(resident)
      else resident.disconnect()
    }
    resident.on('message', (message: { code: number; memory: number }) => {
      done = message
      finishIfWhole()
    })
    // As a process of its own would end: by `process.exit`, an error that nobody caught, a signal.
    resident.on('close', finish)
    resident.on('error', reject)
    resident.send({ args, cwd, env: { ...process.env, ...env }, end: end.toString() })
  })
}

function startResident(): ChildProcess {
  const resident = fork(join(import.meta.dirname, 'resident-program.mjs'), { stdio: ['pipe', 'pipe', 'pipe', 'ipc'] })
  resident.stdin?.end()
  return resident
}

interface Gathered {
  readonly bytes: () => Buffer
  readonly endsWith: (end: Buffer) => boolean
}

/** What a stream gives; `heard` after each piece. */
function gathered(stream: Readable | null, heard: () => void): Gathered {
  const pieces: Buffer[] = []
  const bytes = (): Buffer => Buffer.concat(pieces)
  stream?.on('data', (piece: Buffer) => {
    pieces.push(piece)
    heard()
  })
  return { bytes, endsWith: (end) => bytes().subarray(-end.length).equals(end) }
}
