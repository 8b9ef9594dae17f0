/** Flags of `push` and `pull` as the options of the hub. */
import { fault } from '#core'
import { type HubSettings, hubSettings, type RepoType } from '#files/hub'
import type { FlagValues, Terminal } from './command.ts'

export interface HubOptions {
  type: RepoType
  include: readonly string[]
  exclude: readonly string[]
  settings: HubSettings
  signal: AbortSignal
  onProgress: Terminal['progress']
}

export function hubOptions(flags: FlagValues, terminal: Terminal): HubOptions {
  const { token, cacheDir } = flags as { token?: string; cacheDir?: string }
  return {
    type: flags.repoType as RepoType,
    include: (flags.include as string[] | undefined) ?? [],
    exclude: (flags.exclude as string[] | undefined) ?? [],
    // As the environment would say it, so that the same rules hold.
    settings: hubSettings({
      ...process.env,
      ...(token === undefined ? {} : { HF_TOKEN: token, HF_HUB_DISABLE_IMPLICIT_TOKEN: '' }),
      ...(cacheDir === undefined ? {} : { HF_HUB_CACHE: cacheDir }),
    }),
    signal: terminal.signal,
    onProgress: terminal.progress,
  }
}

/** `org/name@revision`, or the flag. */
export function repoOf(text: string, { revision }: FlagValues): { name: string; revision: string | undefined } {
  const at = text.indexOf('@')
  if (at < 0) return { name: text, revision: revision as string | undefined }
  const written = text.slice(at + 1)
  if (revision !== undefined && revision !== written)
    throw fault('usage.conflict', { place: '--revision', what: 'two revisions are named', seen: [written, revision], hint: 'leave out one of them' })
  return { name: text.slice(0, at), revision: written }
}
