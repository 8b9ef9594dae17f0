/**
 * The repository a push goes to: whose token it is, whether the repository and the branch are there, and making them.
 */
import { Fault, fault } from '#core'
import { parseJson, zod } from '#files/formats'
import { retryRequest } from '../request.ts'
import { retryable } from '../retry.ts'
import { apiAddress, jsonBody, jsonHeaders, type Target } from './push-request.ts'
import { pushRefusal, tokenHint } from './push-refusal.ts'
import type { HubSettings } from '../settings.ts'

/** Throws `hub.offline` and `hub.denied` before anything is done: no network, no token. */
export function checkMayPush(settings: HubSettings, place: string): void {
  if (settings.offline)
    throw fault('hub.offline', {
      place,
      what: 'nothing can be pushed while the network is off (HF_HUB_OFFLINE)',
      hint: 'unset HF_HUB_OFFLINE',
    })
  if (settings.token() === undefined)
    throw fault('hub.denied', {
      place,
      what: 'pushing needs a token, and there is none',
      hint: `${tokenHint(settings)}, or log in with hf auth login`,
    })
}

/**
 * Name of the token's account, if the hub says. Throws `hub.denied` for a token that is unknown or may only read. The
 * hub limits how often it answers this question: where the name is not `needed`, a missing answer is accepted.
 */
export async function tokenOwner(
  settings: HubSettings,
  place: string,
  { needed, signal }: { needed: boolean; signal?: AbortSignal | undefined },
): Promise<string | undefined> {
  const address = `${settings.endpoint}/api/whoami-v2`
  const patience = needed ? settings.patience : { ...settings.patience, retries: 0 }
  const text = await retryRequest({ ...settings, patience }, address, { signal }, async (response) => {
    if (response.status === 200) return response.text()
    const trouble = await pushRefusal(settings, response, place)
    if (response.status === 404) return '{}' // a mirror without accounts
    throw trouble
  }).catch((error: unknown) => {
    if (!needed && error instanceof Fault && ['hub.busy', 'hub.server', 'hub.network'].includes(error.code)) return '{}'
    throw error
  })
  const z = zod()
  const schema = z.object({
    name: z.string().optional(),
    auth: z.object({ accessToken: z.object({ role: z.string().optional() }).optional() }).optional(),
  })
  const owner = schema.safeParse(jsonOr(text)).data
  if (owner?.auth?.accessToken?.role === 'read')
    throw fault('hub.denied', {
      place,
      what: 'the token may only read',
      seen: owner.name,
      hint: `a token with write access is needed: ${tokenHint(settings)}`,
    })
  return owner?.name
}

export interface FoundRepo {
  readonly exists: boolean
  /** Commit of the revision; undefined if there is no such revision yet. */
  readonly head?: string
}

/** Looks for the repository and a revision of it; one that the token may not see counts as absent. */
export async function findRepo(target: Target, revision: string): Promise<FoundRepo> {
  const { settings, signal, name } = target
  return retryRequest(
    settings,
    apiAddress(target, `revision/${encodeURIComponent(revision)}`),
    { signal },
    async (response) => {
      const code = response.headers.get('x-error-code')
      if (response.status === 200) {
        const { sha } = (jsonOr(await response.text()) ?? {}) as { sha?: unknown }
        return typeof sha === 'string' ? { exists: true, head: sha } : { exists: true }
      }
      const absent = response.status === 404 || response.status === 401
      if (!absent || code === 'GatedRepo') throw await pushRefusal(settings, response, `${name}@${revision}`)
      await response.drop()
      return { exists: code === 'RevisionNotFound' }
    },
  )
}

/**
 * Makes the repository; one that is there by now is fine. Its full name comes back: a name without an owner gets the
 * token's.
 */
export async function createRepo(
  { settings, type, name, signal }: Target,
  { isPrivate }: { isPrivate: boolean },
): Promise<string> {
  const [organization, bare] = name.includes('/') ? name.split('/') : [null, name]
  // `visibility` is what clients send today, `private` what they sent before and what older hubs know.
  const body = jsonBody({
    name: bare,
    organization,
    type,
    ...(isPrivate ? { visibility: 'private', private: true } : {}),
  })
  const options = { method: 'POST', headers: jsonHeaders, body, signal } as const
  const made = await retryRequest(settings, `${settings.endpoint}/api/repos/create`, options, async (response) => {
    if (response.status >= 200 && response.status < 300) return response.text()
    const refused = await pushRefusal(settings, response, name)
    if (response.status === 409 && !/conflicting operation/i.test(String(refused.parts.seen))) return '{}'
    if (response.status !== 403 && response.status !== 401) throw response.status === 409 ? retryable(refused) : refused
    throw fault('hub.denied', {
      place: name,
      what: 'the repository does not exist, and the token may not create it',
      seen: refused.parts.seen,
      hint: `check the name of the organization; a token with write access to it is needed (${tokenHint(settings)})`,
    })
  })
  const full = (jsonOr(made) as { name?: unknown } | undefined)?.name
  return typeof full === 'string' && full.includes('/') ? full : name
}

/** Makes a branch at the head of the default one; one that is there by now is fine. */
export async function createBranch(target: Target, branch: string): Promise<void> {
  const { settings, name, signal } = target
  const place = `${name}@${branch}`
  if (branch.startsWith('refs/'))
    throw fault('hub.missing', { place, what: 'no such revision', hint: 'a pull request is opened with --create-pr' })
  const options = { method: 'POST', headers: jsonHeaders, body: jsonBody({}), signal } as const
  await retryRequest(
    settings,
    apiAddress(target, `branch/${encodeURIComponent(branch)}`),
    options,
    async (response) => {
      if (response.status === 409 || (response.status >= 200 && response.status < 300)) return response.drop()
      throw await pushRefusal(settings, response, place)
    },
  )
}

/**
 * Lets the hub look at the metadata of a model card before anything is sent: a commit with bad ones is refused at its
 * very end. Throws `format.yaml`.
 */
export async function checkCard(target: Target, content: string): Promise<readonly string[]> {
  const { settings, type, name, signal } = target
  const options = { method: 'POST', headers: jsonHeaders, body: jsonBody({ content, repoType: type }), signal } as const
  const { status, text } = await retryRequest(
    settings,
    `${settings.endpoint}/api/validate-yaml`,
    options,
    async (response) => {
      return { status: response.status, text: await response.text() }
    },
  )
  const said = (jsonOr(text) ?? {}) as { errors?: { message?: unknown }[]; warnings?: { message?: unknown }[] }
  const messages = (list: unknown): string[] =>
    Array.isArray(list) ? list.map(({ message }: { message?: unknown }) => String(message)) : []
  const errors = messages(said.errors)
  if (status === 400 && errors.length > 0)
    throw fault('format.yaml', {
      place: `${name} › README.md`,
      what: 'the metadata of the card are not valid',
      seen: errors.join('; '),
      hint: 'correct the YAML block at its top',
    })
  return messages(said.warnings) // any other answer says nothing about the card
}

function jsonOr(text: string): unknown {
  try {
    return parseJson(text, 'answer')
  } catch {
    return undefined
  }
}
