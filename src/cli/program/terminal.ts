/**
 * Terminal output: one progress line with rate and time left on a terminal, an occasional plain line in a log; Ctrl-C
 * once stops cleanly.
 */
import { duration, fault, type Fault, printable, printableText, type Progress } from '#core'
import type { Terminal } from '../spec/command.ts'

/** A log gets a line this often, in milliseconds; a terminal is redrawn this often. */
const logEvery = 10_000
const drawEvery = 100

/** The terminal of the whole program. */
export interface ProgramTerminal extends Terminal {
  /** One line about a failure, shown despite `--quiet`. */
  complain(line: string): void
  /**
   * Waits until everything printed is out. Returns the reason if it is not: `file.write`, where `seen` is `EPIPE` when
   * the reader stopped early.
   */
  close(): Promise<Fault | undefined>
}

/** How a stopped command continues. */
const onward = {
  finished: 'finished work is kept; run the same command again to continue',
  nothing: 'nothing is kept of a measurement; run the same command again to begin it anew',
} as const

/** `keeps`: the part of the command's work that outlasts a stop. */
export function openTerminal({
  keeps = 'finished',
}: { keeps?: keyof typeof onward | undefined } = {}): ProgramTerminal {
  const stops = openStops(onward[keeps])
  const interactive = process.stderr.isTTY
  let start: { progress: Progress; at: number } | undefined
  let last: Progress | undefined
  let drawnAt = 0
  let drawn = false
  let lost: Fault | undefined

  const lose = (cause: NodeJS.ErrnoException): void => {
    lost ??= fault('file.write', { place: 'standard output', what: 'cannot be written', seen: cause.code, cause })
    stops.controller.abort(lost)
  }
  process.stdout.on('error', lose)
  // An error of standard error cannot be reported anywhere.
  process.stderr.on('error', () => undefined)

  const clear = (): void => {
    if (drawn) process.stderr.write('\r\u001b[K')
    drawn = false
  }
  const complain = (line: string): void => {
    clear()
    write(process.stderr, printable(line))
  }

  return {
    signal: stops.controller.signal,
    print(line) {
      clear()
      write(process.stdout, printable(line))
    },
    write(text) {
      clear()
      // a reader of a pipe gets the text unchanged
      process.stdout.write(process.stdout.isTTY ? printableText(text) : text)
    },
    interruptible: stops.interruptible,
    note: complain,
    complain,
    progress(progress) {
      const now = Date.now()
      if (start === undefined || beginsAnew(progress, last)) {
        start = { progress, at: now }
        drawnAt = interactive ? 0 : now
      }
      last = progress
      if (now - drawnAt < (interactive ? drawEvery : logEvery)) return
      drawnAt = now
      const line = printable(progressLine(progress, start.progress, (now - start.at) / 1000))
      if (interactive) process.stderr.write(`\r\u001b[K${line}`)
      else write(process.stderr, line)
      drawn = interactive
    },
    async close() {
      clear()
      stops.close()
      // Writes are in order: an earlier write fails before this one does.
      await new Promise((resolve) => process.stdout.write('', () => setImmediate(resolve)))
      return lost
    },
  }
}

/** Ctrl-C and SIGTERM as a signal; a second one ends the process. */
function openStops(
  hint: string,
): Pick<Terminal, 'interruptible'> & { readonly controller: AbortController; close: () => void } {
  const controller = new AbortController()
  let inner: AbortController | undefined
  const stop = (): void => {
    if (controller.signal.aborted) process.exit(130)
    // The reason is a fault, which `throwIfAborted` throws.
    controller.abort(fault('run.cancelled', { place: 'strata', what: 'stopped', hint }))
    write(process.stderr, `\nstopping – ${hint}`)
  }
  const interrupt = (): void => {
    if (inner === undefined || inner.signal.aborted) stop()
    else inner.abort(fault('run.cancelled', { place: 'strata', what: 'stopped' }))
  }
  process.on('SIGINT', interrupt)
  process.on('SIGTERM', stop)
  return {
    controller,
    async interruptible(work) {
      inner = new AbortController()
      try {
        return await work(AbortSignal.any([controller.signal, inner.signal]))
      } finally {
        inner = undefined
      }
    },
    close() {
      process.off('SIGINT', interrupt)
      process.off('SIGTERM', stop)
    },
  }
}

/** The same terminal for a command that prints its output and nothing more. */
export function quiet(terminal: Terminal): Terminal {
  return { ...terminal, note: () => undefined, progress: () => undefined }
}

/**
 * Whether it belongs to another piece of work than the last progress: another total does, even when its first count
 * exceeds the other's last.
 */
export function beginsAnew({ stage, total, done }: Progress, last: Progress | undefined): boolean {
  return stage !== last?.stage || total !== last.total || done < last.done
}

/** `encode  4,096 of 10,003 texts · 412 texts/s · 14 s left`. */
export function progressLine({ stage, done, total, unit, work }: Progress, start: Progress, seconds: number): string {
  const rate = seconds > 0 ? (done - start.done) / seconds : 0
  const amount = unit === 'bytes' ? megabytes : (value: number) => Math.round(value).toLocaleString('en')
  const of = total === undefined ? '' : ` of ${amount(total)}`
  const [spent, ahead] =
    work === undefined || work.total === 0
      ? [done - start.done, (total ?? NaN) - done]
      : [work.done - (start.work?.done ?? 0), work.total - work.done]
  const left =
    seconds > 0 && spent > 0 && Number.isFinite(ahead) ? ` · ${duration((ahead / spent) * seconds)} left` : ''
  // two digits of a slow rate: 0.4 trials/s is not 0
  const pace = rate < 10 ? `${Number(rate.toPrecision(2))}` : amount(rate)
  const speed = rate > 0 ? ` · ${unit === 'bytes' ? `${megabytes(rate)}/s` : `${pace} ${unit}/s`}` : ''
  return `${stage}  ${amount(done)}${of}${unit === 'bytes' ? '' : ` ${unit}`}${speed}${left}`
}

function megabytes(value: number): string {
  return `${(value / 1e6).toFixed(value < 1e7 ? 1 : 0)} MB`
}

function write(stream: NodeJS.WriteStream, line: string): void {
  stream.write(`${line}\n`)
}
