/** Faults for models whose arithmetic this room lacks. */
import { fault } from '#core'

export function unsupported(key: string, what: string): Error {
  return fault('config.unsupported', { place: `config.json › ${key}`, what: `${what} has no gradients here` })
}

export function otherActivation(seen: string, wanted: string): Error {
  return fault('config.value', {
    place: 'config.json › hidden_act',
    what: 'this activation has no gradient here',
    seen,
    wanted,
  })
}
