/** The repository a push goes to: whose token it is, whether the repository and the branch are there, and making them. */
import { Fault, fault } from '#core'
import { parseJson, zod } from '#files/formats'
import { ask } from '../ask.ts'
import { persist, worthRetrying } from '../persist.ts'
import { apiAddress, jsonBody, jsonHeaders, type Target } from './push-ask.ts'
import { pushRefusal, tokenHint } from './push-refusal.ts'
import type { HubSettings } from '../settings.ts'

/** Throws `hub.offline` and `hub.denied` before anything is done: no network, no token. */
export function checkMayPush(settings: HubSettings, place: string): void {
  if (settings.offline)
    throw fault('hub.offline', { place, what: 'nothing can be pushed while the network is off (HF_HUB_OFFLINE)', hint: 'unset HF_HUB_OFFLINE' })
  if (settings.token() === undefined)
    throw fault('hub.denied', { place, what: 'pushing needs a token, and there is none', hint: `${tokenHint(settings)}, or log in with hf auth login` })
}

/**
 * Name of the token's account, if the hub tells. Throws `hub.denied` for a token that is unknown or may only read. The hub answers this question seldom to
 * those who ask it often: where the name is not `needed`, no answer is an answer too.
 */
export async function tokenOwner(
  settings: HubSettings,
  place: string,
  { needed, signal }: { needed: boolean; signal?: AbortSignal | undefined },
): Promise<string | undefined> {
  const address = `${settings.endpoint}/api/whoami-v2`
  const patience = needed ? settings.patience : { ...settings.patience, retries: 0 }
  const text = await persist(
    async () => {
      const answer = await ask(settings, address, { signal })
      if (answer.status === 200) return answer.text()
      const trouble = await pushRefusal(settings, answer, place)
      if (answer.status === 404) return '{}' // a mirror without accounts
      throw trouble
    },
    { patience, signal },
  ).catch((error: unknown) => {
    if (!needed && error instanceof Fault && ['hub.busy', 'hub.server', 'hub.network'].includes(error.code)) return '{}'
    throw error
  })
  const z = zod()
  const schema = z.object({ name: z.string().optional(), auth: z.object({ accessToken: z.object({ role: z.string().optional() }).optional() }).optional() })
  const owner = schema.safeParse(jsonOr(text)).data
  if (owner?.auth?.accessToken?.role === 'read')
    throw fault('hub.denied', { place, what: 'the token may only read', seen: owner.name, hint: `a token with write access is needed: ${tokenHint(settings)}` })
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
  return persist(
    async () => {
      const answer = await ask(settings, apiAddress(target, `revision/${encodeURIComponent(revision)}`), { signal })
      const code = answer.headers.get('x-error-code')
      if (answer.status === 200) {
        const { sha } = (jsonOr(await answer.text()) ?? {}) as { sha?: unknown }
        return typeof sha === 'string' ? { exists: true, head: sha } : { exists: true }
      }
      const absent = answer.status === 404 || answer.status === 401
      if (!absent || code === 'GatedRepo') throw await pushRefusal(settings, answer, `${name}@${revision}`)
      await answer.drop()
      return { exists: code === 'RevisionNotFound' }
    },
    { patience: settings.patience, signal },
  )
}

/** Makes the repository; one that is there by now is fine. Its full name comes back: a name without an owner gets the token's. */
export async function createRepo({ settings, type, name, signal }: Target, { isPrivate }: { isPrivate: boolean }): Promise<string> {
  const [organization, bare] = name.includes('/') ? name.split('/') : [null, name]
  // `visibility` is what clients send today, `private` what they sent before and what older hubs know.
  const body = jsonBody({ name: bare, organization, type, ...(isPrivate ? { visibility: 'private', private: true } : {}) })
  const made = await persist(
    async () => {
      const answer = await ask(settings, `${settings.endpoint}/api/repos/create`, { method: 'POST', headers: jsonHeaders, body, signal })
      if (answer.status >= 200 && answer.status < 300) return answer.text()
      const refused = await pushRefusal(settings, answer, name)
      if (answer.status === 409 && !/conflicting operation/i.test(String(refused.parts.seen))) return '{}'
      if (answer.status !== 403 && answer.status !== 401) throw answer.status === 409 ? worthRetrying(refused) : refused
      throw fault('hub.denied', {
        place: name,
        what: 'there is no such repository, and the token may not make it',
        seen: refused.parts.seen,
        hint: `check the name of the organization; a token with write access to it is needed (${tokenHint(settings)})`,
      })
    },
    { patience: settings.patience, signal },
  )
  const full = (jsonOr(made) as { name?: unknown } | undefined)?.name
  return typeof full === 'string' && full.includes('/') ? full : name
}

/** Makes a branch at the head of the default one; one that is there by now is fine. */
export async function createBranch(target: Target, branch: string): Promise<void> {
  const { settings, name, signal } = target
  const place = `${name}@${branch}`
  if (branch.startsWith('refs/')) throw fault('hub.missing', { place, what: 'no such revision', hint: 'a pull request is opened with --create-pr' })
  await persist(
    async () => {
      const address = apiAddress(target, `branch/${encodeURIComponent(branch)}`)
      const answer = await ask(settings, address, { method: 'POST', headers: jsonHeaders, body: jsonBody({}), signal })
      if (answer.status === 409 || (answer.status >= 200 && answer.status < 300)) return answer.drop()
      throw await pushRefusal(settings, answer, place)
    },
    { patience: settings.patience, signal },
  )
}

/** Lets the hub look at the metadata of a model card before anything is sent: a commit with bad ones is refused at its very end. Throws `format.yaml`. */
export async function checkCard(target: Target, content: string): Promise<readonly string[]> {
  const { settings, type, name, signal } = target
  const question = { method: 'POST', headers: jsonHeaders, body: jsonBody({ content, repoType: type }), signal } as const
  const { status, text } = await persist(
    async () => {
      const answer = await ask(settings, `${settings.endpoint}/api/validate-yaml`, question)
      return { status: answer.status, text: await answer.text() }
    },
    { patience: settings.patience, signal },
  )
  const said = (jsonOr(text) ?? {}) as { errors?: { message?: unknown }[]; warnings?: { message?: unknown }[] }
  const messages = (list: unknown): string[] => (Array.isArray(list) ? list.map(({ message }: { message?: unknown }) => String(message)) : [])
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
