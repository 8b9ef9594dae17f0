/** Drawing: one progress line with rate and time left on a terminal, a plain line now and then in a log; Ctrl-C once stops cleanly. */
import { duration, type Progress } from '#core'
import type { Terminal } from './command.ts'

/** A log gets a line this often, in milliseconds; a terminal is redrawn this often. */
const logEvery = 10_000
const drawEvery = 100

export function openTerminal({ quiet = false }: { quiet?: boolean } = {}): Terminal & { close(): void } {
  const controller = new AbortController()
  const interactive = process.stderr.isTTY
  let stage = ''
  let startedAt = 0
  let startedWith = 0
  let drawnAt = 0
  let drawn = false

  const stop = (): void => {
    if (controller.signal.aborted) process.exit(130)
    controller.abort()
    console.error('\nstopping – what is finished is kept; run the same command again to go on')
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)

  const clear = (): void => {
    if (drawn) process.stderr.write('\r\u001b[K')
    drawn = false
  }

  return {
    signal: controller.signal,
    print(line) {
      clear()
      console.log(line)
    },
    note(line) {
      clear()
      if (!quiet) console.error(line)
    },
    progress(progress) {
      if (quiet) return
      const now = Date.now()
      if (progress.stage !== stage) [stage, startedAt, startedWith, drawnAt] = [progress.stage, now, progress.done, interactive ? 0 : now]
      if (now - drawnAt < (interactive ? drawEvery : logEvery)) return
      drawnAt = now
      const line = progressLine(progress, (now - startedAt) / 1000, startedWith)
      if (interactive) process.stderr.write(`\r\u001b[K${line}`)
      else console.error(line)
      drawn = interactive
    },
    close() {
      clear()
      process.off('SIGINT', stop)
      process.off('SIGTERM', stop)
    },
  }
}

/** `encode  4,096 of 10,003 texts · 412 texts/s · 14 s left`. */
export function progressLine({ stage, done, total, unit }: Progress, seconds: number, startedWith: number): string {
  const rate = seconds > 0 ? (done - startedWith) / seconds : 0
  const amount = unit === 'bytes' ? megabytes : (value: number) => Math.round(value).toLocaleString('en')
  const of = total === undefined ? '' : ` of ${amount(total)}`
  const left = total !== undefined && rate > 0 ? ` · ${duration((total - done) / rate)} left` : ''
  const speed = rate > 0 ? ` · ${unit === 'bytes' ? `${megabytes(rate)}/s` : `${amount(rate)} ${unit}/s`}` : ''
  return `${stage}  ${amount(done)}${of}${unit === 'bytes' ? '' : ` ${unit}`}${speed}${left}`
}

function megabytes(value: number): string {
  return `${(value / 1e6).toFixed(value < 1e7 ? 1 : 0)} MB`
}
