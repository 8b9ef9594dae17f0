/** Checks of files from strangers, and the fault they end in. */
import { fault, type Fault } from '#core'

export function invalid(place: string, what: string, seen?: unknown): Fault {
  return fault('result.invalid', {
    place,
    what,
    seen: typeof seen === 'object' ? JSON.stringify(seen)?.slice(0, 100) : seen,
  })
}
