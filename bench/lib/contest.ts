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
  /** Of the processor, in its own code and in the system's, as Linux counts them; NaN elsewhere. */
  readonly userSeconds: number
  readonly systemSeconds: number
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
  let [peakMiB, userSeconds, systemSeconds] = [NaN, NaN, NaN]
  const watch = setInterval(() => {
    const peak = child.pid === undefined ? undefined : highWater(child.pid)
    if (peak !== undefined) peakMiB = peak
    const spent = child.pid === undefined ? undefined : processorSeconds(child.pid)
    if (spent !== undefined) [userSeconds, systemSeconds] = spent
  }, sampleMilliseconds)
  const code = await new Promise<number | null>((resolve, reject) =>
    child.on('error', reject).on('close', resolve),
  ).finally(() => clearInterval(watch))
  const wallSeconds = (performance.now() - started) / 1000
  if (code !== 0) throw new Error(`${name} ended with ${code}:\n${errors.join('').slice(-2000)}`)
  const line = out.join('').trimEnd().split('\n').at(-1) ?? ''
  return {
    wallSeconds,
    peakMiB,
    userSeconds,
    systemSeconds,
    report: line.startsWith('{') ? (JSON.parse(line) as Report) : {},
  }
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

/**
 * Ticks of a hundredth of a second, which Linux promises. The last sample may lack what the process did in its last
 * moments.
 */
export function processorSeconds(pid: number): [user: number, system: number] | undefined {
  try {
    // the name, in parentheses, may hold blanks
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    const [user, system] = [Number(fields[11]) / 100, Number(fields[12]) / 100]
    return user + system > 0 ? [user, system] : undefined
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
