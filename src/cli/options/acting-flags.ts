/** Flags that would be without effect are refused. */
import { Option } from 'commander'
import { fault } from '#core'
import type { CommandSpec } from '../spec/command.ts'
import type { Flag } from '../spec/flag.ts'

type Values = Readonly<Record<string, unknown>>

/** Whether a flag was given, and says something else than what holds without it. */
export function isGiven(values: Values, { flags, fallback }: Flag): boolean {
  const option = new Option(flags)
  const value = values[option.attributeName()]
  return value !== undefined && value !== fallback && value !== option.negate
}

/** Throws `usage.conflict` for the first flag of the command that was given and is not among those that act here. */
export function refuseIdleFlags(
  { flags }: CommandSpec,
  values: object,
  { acting, what, hint }: { readonly acting: readonly Flag[]; readonly what: string; readonly hint: string },
): void {
  const idle = flags.find((flag) => !acting.includes(flag) && isGiven(values as Values, flag))
  if (idle === undefined) return
  throw fault('usage.conflict', { place: new Option(idle.flags).long ?? idle.flags, what, hint })
}
