/** Programs run in turn, A B C A B C, each as a whole process that reports its own work as one line of JSON. */
import { spawn } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'

export interface Contestant {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Folders removed before every turn, so that nothing is found again. */
  readonly fresh?: readonly string[]
}

/** What a process says about itself in its last line; programs add fields of their own. */
export type Report = Record<string, unknown>

export interface Turn {
  readonly wallSeconds: number
  /** Largest resident memory, as Linux keeps it; NaN elsewhere. */
  readonly peakMiB: number
  readonly report: Report
}

const sampleMilliseconds = 20

/** Runs one process; throws with the end of its error output when it fails. */
export async function runOnce({ name, command, args, env, fresh = [] }: Contestant): Promise<Turn> {
  for (const folder of fresh) rmSync(folder, { recursive: true, force: true })
  const started = performance.now()
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  const [out, errors]: [string[], string[]] = [[], []]
  child.stdout.setEncoding('utf8').on('data', (text: string) => out.push(text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => errors.push(text))
  let peakMiB = NaN
  const watch = setInterval(() => {
    const peak = child.pid === undefined ? undefined : highWater(child.pid)
    if (peak !== undefined) peakMiB = peak
  }, sampleMilliseconds)
  const code = await new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve)).finally(() => clearInterval(watch))
  const wallSeconds = (performance.now() - started) / 1000
  if (code !== 0) throw new Error(`${name} ended with ${code}:\n${errors.join('').slice(-2000)}`)
  const line = out.join('').trimEnd().split('\n').at(-1) ?? ''
  return { wallSeconds, peakMiB, report: line.startsWith('{') ? (JSON.parse(line) as Report) : {} }
}

/** The kernel's own high-water mark of a living process, so that sampling misses nothing but the very end. */
function highWater(pid: number): number | undefined {
  try {
    const kibibytes = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return kibibytes === undefined ? undefined : Number(kibibytes) / 1024
  } catch {
    return undefined
  }
}

/** `rounds` turns of every contestant, in turn. */
export async function contest(
  contestants: readonly Contestant[],
  rounds: number,
  onTurn: (name: string, round: number, turn: Turn) => void,
): Promise<Record<string, Turn[]>> {
  const turns: Record<string, Turn[]> = Object.fromEntries(contestants.map(({ name }) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (const contestant of contestants) {
      const turn = await runOnce(contestant)
      turns[contestant.name]?.push(turn)
      onTurn(contestant.name, round, turn)
    }
  }
  return turns
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? (sorted[middle] ?? NaN) : ((sorted[middle - 1] ?? NaN) + (sorted[middle] ?? NaN)) / 2
}
