/** Work that waits its turn, so that many who ask at once take no more memory than a few. */
import { fault } from '#core'

export interface Lanes {
  /**
   * Runs the work in the order of asking, one piece per lane at a time. Throws `run.cancelled` where the signal comes
   * before the turn.
   */
  take<Value>(signal: AbortSignal, work: () => Promise<Value>): Promise<Value>
}

export function openLanes(count: number): Lanes {
  const waiting = new Set<() => void>()
  let free = count
  const leave = (): void => {
    free++
    const [next] = waiting
    next?.()
  }
  const turn = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const gone = (): void => {
        waiting.delete(start)
        reject(fault('run.cancelled', { place: 'board', what: 'the client has gone', cause: signal.reason }))
      }
      function start(): void {
        waiting.delete(start)
        signal.removeEventListener('abort', gone)
        free--
        resolve()
      }
      if (signal.aborted) gone()
      else if (free > 0 && waiting.size === 0) start()
      else {
        waiting.add(start)
        signal.addEventListener('abort', gone, { once: true })
      }
    })
  return {
    async take(signal, work) {
      await turn(signal)
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}
