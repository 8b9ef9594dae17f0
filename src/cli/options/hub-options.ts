/** Flags of `push` and `pull` as the options of the hub. */
import { fault } from '#core'
import { type HubSettings, hubSettings, type RepoType } from '#files/hub'
import type * as hub from '../flags/hub.ts'
import type { Terminal } from '../spec/command.ts'
import type { FlagValues } from '../spec/flag-values.ts'

export interface HubOptions {
  type: RepoType
  include: readonly string[]
  exclude: readonly string[]
  settings: HubSettings
  signal: AbortSignal
  onProgress: Terminal['progress']
}

type HubFlags = FlagValues<typeof hub.repoType | typeof hub.include | typeof hub.exclude | typeof hub.token> & {
  readonly cacheDir?: string | undefined
}

export function hubOptions(
  { repoType, include = [], exclude = [], token, cacheDir }: HubFlags,
  terminal: Terminal,
): HubOptions {
  return {
    type: repoType,
    include,
    exclude,
    // As environment variables, so that the same rules hold.
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
export function parseRepo(
  text: string,
  { revision }: FlagValues<typeof hub.revision>,
): { name: string; revision: string | undefined } {
  const at = text.indexOf('@')
  if (at < 0) return { name: text, revision }
  const written = text.slice(at + 1)
  if (revision !== undefined && revision !== written)
    throw fault('usage.conflict', {
      place: '--revision',
      what: 'two revisions are given',
      seen: [written, revision],
      hint: 'leave one of them out',
    })
  return { name: text.slice(0, at), revision: written }
}
