/**
 * Where the hub is, where its cache lies, and how patient to be: read from the environment exactly as huggingface_hub
 * reads it.
 */
import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fault } from '#core'
import { proxiesOf } from './proxy.ts'

/** How long to wait and how often to try again. Seconds may be fractions. */
export interface Patience {
  /** Further tries after one that brought no new byte. */
  readonly retries: number
  /** First pause; it doubles each time up to `longestSeconds`. A Retry-After of the server goes before. */
  readonly firstSeconds: number
  readonly longestSeconds: number
  /** Bound of all pauses of one request or one file together. */
  readonly totalSeconds: number
  /** Longest wait for an answer to begin, and between two pieces of its body. */
  readonly answerSeconds: number
  readonly stallSeconds: number
  /** A lock is touched this often by its owner, and counts as abandoned after six beats of silence. */
  readonly beatSeconds: number
}

export interface HubSettings {
  /** Without a trailing slash. */
  readonly endpoint: string
  /** Folder of `models--org--name` and `datasets--org--name`. */
  readonly cacheFolder: string
  /** No network, ever. */
  readonly offline: boolean
  /** False: files are put into snapshots as copies. */
  readonly symlinks: boolean
  /** Read when first asked for; a function so that no message or dump of the settings can show it. */
  readonly token: () => string | undefined
  /** The proxy between here and an address, if there is one. */
  readonly proxy: (url: URL) => URL | undefined
  readonly patience: Patience
}

export const defaultPatience: Patience = {
  retries: 5,
  firstSeconds: 0.5,
  longestSeconds: 8,
  totalSeconds: 300,
  answerSeconds: 10, // huggingface_hub's default for both
  stallSeconds: 10,
  beatSeconds: 5,
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Settings as the environment has them: HF_HOME, HF_HUB_CACHE, HF_ENDPOINT, HF_TOKEN, HF_HUB_OFFLINE and their older
 * names. Throws `usage.value` for an endpoint that is no address.
 */
export function hubSettings(env: Environment = process.env): HubSettings {
  const home =
    folder(env, env['HF_HOME']) ?? join(folder(env, env['XDG_CACHE_HOME']) ?? join(homedir(), '.cache'), 'huggingface')
  return {
    endpoint: endpoint(env['HF_ENDPOINT'] || 'https://huggingface.co'),
    cacheFolder: folder(env, env['HF_HUB_CACHE']) ?? folder(env, env['HUGGINGFACE_HUB_CACHE']) ?? join(home, 'hub'),
    offline: isTrue(env['HF_HUB_OFFLINE'] || env['TRANSFORMERS_OFFLINE']),
    symlinks: !isTrue(env['HF_HUB_DISABLE_SYMLINKS']),
    token: once(() => (isTrue(env['HF_HUB_DISABLE_IMPLICIT_TOKEN']) ? undefined : findToken(env, home))),
    proxy: proxiesOf(env),
    patience: {
      ...defaultPatience,
      answerSeconds: wholeSeconds(env['HF_HUB_ETAG_TIMEOUT']) ?? defaultPatience.answerSeconds,
      stallSeconds: wholeSeconds(env['HF_HUB_DOWNLOAD_TIMEOUT']) ?? defaultPatience.stallSeconds,
    },
  }
}

function findToken(env: Environment, home: string): string | undefined {
  const written = clean(env['HF_TOKEN'] || env['HUGGING_FACE_HUB_TOKEN'])
  const token = written ?? clean(readToken(folder(env, env['HF_TOKEN_PATH']) ?? join(home, 'token')))
  // A line break inside would end up in an error of the HTTP client, and the token with it.
  if (token !== undefined && !/^[\u0021-\u007e]+$/.test(token)) {
    throw fault('usage.value', {
      place: 'HF_TOKEN',
      what: 'the token has characters that are not allowed in a token (it is not shown)',
      hint: 'set HF_TOKEN again, or log in again',
    })
  }
  return token
}

function readToken(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined // no token file, or none for us
  }
}

function clean(token: string | undefined): string | undefined {
  return token?.trim() || undefined
}

function endpoint(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (
    !url ||
    !/^https?:$/.test(url.protocol) ||
    url.username !== '' ||
    url.password !== '' ||
    url.search !== '' ||
    url.hash !== ''
  ) {
    throw fault('usage.value', {
      place: 'HF_ENDPOINT',
      what: 'not the address of a hub',
      wanted: 'https://host',
      hint: 'without user name, password or query',
    })
  }
  return text.replace(/\/+$/, '')
}

/** `~` and `$NAME` are expanded as Python's expanduser and expandvars do; an empty variable is as good as none. */
function folder(env: Environment, text: string | undefined): string | undefined {
  if (!text) return undefined
  const home = text === '~' || text.startsWith('~/') ? join(homedir(), text.slice(1)) : text
  return home.replace(
    /\$(?:(\w+)|\{([^}]+)\})/g,
    (whole, plain: string | undefined, braced: string | undefined) => env[plain ?? braced ?? ''] ?? whole,
  )
}

function isTrue(text: string | undefined): boolean {
  return ['1', 'ON', 'YES', 'TRUE'].includes((text ?? '').toUpperCase())
}

function wholeSeconds(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,5}$/.test(text) ? Number(text) : undefined
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => (made ??= { value: make() }).value
}
