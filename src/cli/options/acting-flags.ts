/** Refuses flags that would have no effect. */
import { Option } from 'commander'
import { fault } from '#core'
import type { Flag } from '../spec/flag.ts'

/** Whether a flag was given with a value other than its default. */
export function isGiven(values: object, { flags, fallback }: Flag): boolean {
  const option = new Option(flags)
  const value: unknown = Object.entries(values).find(([name]) => name === option.attributeName())?.[1]
  return value !== undefined && value !== fallback && value !== option.negate
}

/** Throws `usage.conflict` for the first of these flags that was given. */
export function refuseFlags(
  values: object,
  idle: readonly Flag[],
  { what, hint }: { readonly what: string; readonly hint: string },
): void {
  const given = idle.find((flag) => isGiven(values, flag))
  if (given === undefined) return
  throw fault('usage.conflict', { place: new Option(given.flags).long ?? given.flags, what, hint })
}

/** Throws `usage.conflict` for the first flag that was given and needs another one, which was not. */
export function refuseWithout(values: object, needed: Flag, idle: readonly Flag[]): void {
  if (isGiven(values, needed)) return
  const name = new Option(needed.flags).long ?? needed.flags
  refuseFlags(values, idle, { what: `has no effect without ${name}`, hint: `add ${name}, or leave it out` })
}

export function allBut(flags: readonly Flag[], acting: readonly Flag[]): Flag[] {
  return flags.filter((flag) => !acting.includes(flag))
}
