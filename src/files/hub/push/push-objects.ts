/**
 * Large files to the store behind the hub, by the git-lfs batch API with the hub's multipart extension
 * (https://github.com/git-lfs/git-lfs/blob/main/docs/api/batch.md). The batch answer lists the objects already there;
 * they are never sent. `@huggingface/hub` speaks this protocol too, but hashes every file again at each start, knows no
 * retry, and begins a large file anew after a cut.
 */
import { Fault, fault, type FaultCode } from '#core'
import { zod } from '#files/formats'
import { inParallel } from '../in-parallel.ts'
import type { HubResponse } from '../request.ts'
import { requestJson, requestOk, jsonBody, lfsHeaders, type Target } from './push-request.ts'
import { fileBody, type LocalFile } from './push-files.ts'
import type { PartedUpload, PushState } from './push-state.ts'

export interface LfsObject {
  /** SHA-256 of the contents. */
  readonly oid: string
  readonly file: LocalFile
}

export interface SendOptions {
  /** Branch the objects are for; undefined where it cannot be named (a pull request that is not there yet). */
  readonly revision: string | undefined
  readonly pushState: PushState
  /** Bytes of all objects that the store has by now. */
  readonly onBytes?: ((byteLength: number) => void) | undefined
}

export interface SentObjects {
  /** Objects that were sent, by hash; the others were there. */
  readonly sent: ReadonlySet<string>
  /** Bytes that went over the line. */
  readonly bytes: number
}

interface Action {
  href: string
  header?: Record<string, string | number> | null | undefined
}

interface Actions {
  upload?: Action | null | undefined
  verify?: Action | null | undefined
}

const batchLength = 100
const objectsAtOnce = 4
const partsAtOnce = 2
/**
 * Times that an upload is planned again when the store does not know, or no longer knows, the upload that the hub
 * described.
 */
const layouts = 3

/**
 * Uploads objects to the store, each at most once, however many files have the same contents. Throws hub faults;
 * objects sent by then are not sent again.
 */
export async function sendObjects(
  target: Target,
  objects: readonly LfsObject[],
  options: SendOptions,
): Promise<SentObjects> {
  const unique = [...new Map(objects.map((object) => [object.oid, object])).values()]
  const sent = new Set<string>()
  const meter = createMeter(options.onBytes)
  for (let at = 0; at < unique.length; at += batchLength) {
    const batch = unique.slice(at, at + batchLength)
    const actions = await askBatch(target, batch, options.revision)
    await inParallel(batch, objectsAtOnce, target.signal, async (object, stop) => {
      if (await sendObject({ ...target, signal: stop }, object, actions.get(object.oid), options, meter))
        sent.add(object.oid)
      meter.set(object.oid, object.file.size)
    })
  }
  return { sent, bytes: meter.line() }
}

/** The actions for each object; none for those already there. */
async function askBatch(
  target: Target,
  objects: readonly LfsObject[],
  revision: string | undefined,
): Promise<Map<string, Actions>> {
  const z = zod()
  const action = z.object({
    href: z.string(),
    header: z.record(z.string(), z.union([z.string(), z.number()])).nullish(),
  })
  const schema = z.object({
    transfer: z.string().nullish(),
    objects: z.array(
      z.object({
        oid: z.string(),
        actions: z.object({ upload: action.nullish(), verify: action.nullish() }).nullish(),
        error: z.object({ code: z.number(), message: z.string() }).nullish(),
      }),
    ),
  })
  const { settings, type, name } = target
  const address = `${settings.endpoint}/${type === 'dataset' ? 'datasets/' : ''}${name}.git/info/lfs/objects/batch`
  const body = jsonBody({
    operation: 'upload',
    transfers: ['basic', 'multipart'],
    hash_algo: 'sha256',
    objects: objects.map(({ oid, file }) => ({ oid, size: file.size })),
    ref: revision === undefined ? undefined : { name: revision },
  })
  const answer = await requestJson(
    target,
    address,
    { method: 'POST', headers: lfsHeaders, body },
    schema,
    `${name} › large files`,
  )
  if (answer.transfer != null && answer.transfer !== 'basic' && answer.transfer !== 'multipart')
    throw fault('hub.server', {
      place: name,
      what: 'the hub wants a transfer that was not offered',
      seen: answer.transfer,
      wanted: 'basic or multipart',
    })
  const found = new Map<string, Actions>()
  for (const { oid, actions, error } of answer.objects) {
    const path = objects.find((object) => object.oid === oid)?.file.path
    if (error) throw objectFault(`${name} › ${path ?? oid}`, error)
    found.set(oid, actions ?? {})
  }
  const forgotten = objects.find(({ oid }) => !found.has(oid))
  if (forgotten)
    throw fault('hub.server', {
      place: `${name} › ${forgotten.file.path}`,
      what: 'the hub does not say what to do with a large file',
    })
  return found
}

function objectFault(place: string, { code, message }: { code: number; message: string }): Fault {
  return fault(objectCodes.get(code) ?? 'hub.server', {
    place,
    what: 'the hub does not accept the file',
    seen: `${code}, ${message}`,
    hint: 'check the permissions of the token and the storage left in the account',
  })
}

const objectCodes: ReadonlyMap<number, FaultCode> = new Map<number, FaultCode>([
  [401, 'hub.denied'],
  [403, 'hub.denied'],
  [404, 'hub.missing'],
  [402, 'hub.limit'],
  [413, 'hub.limit'],
  [507, 'hub.limit'],
])

/** Whether anything was sent. */
async function sendObject(
  target: Target,
  object: LfsObject,
  actions: Actions | undefined,
  options: SendOptions,
  meter: Meter,
): Promise<boolean> {
  const memory = memoryOf(options.pushState, `${target.settings.endpoint} ${target.type} ${target.name} ${object.oid}`)
  for (let layout = 1; ; layout++) {
    if (!actions?.upload) {
      await memory.write(undefined)
      return layout > 1
    }
    const resumed = memory.read() !== undefined
    try {
      await transfer(target, object, actions.upload, memory, meter)
      if (actions.verify) await verify(target, object, actions.verify)
      await memory.write(undefined)
      return true
    } catch (error) {
      // Addresses expire, and a store forgets parts: the hub lays the upload out anew, or says that all is there after
      // all.
      const seen = error instanceof Fault ? String(error.parts.seen) : ''
      const stale = /^(403|404|410)\b/.test(seen) || (resumed && /^(400|409)\b/.test(seen))
      if (!stale || layout === layouts) throw error
      await memory.write(undefined)
      actions = (await askBatch(target, [object], options.revision)).get(object.oid)
    }
  }
}

/** The state of one object's upload, remembered from one push to the next. */
interface Memory {
  read(): PartedUpload | undefined
  write(upload: PartedUpload | undefined): Promise<void>
}

function memoryOf(pushState: PushState, key: string): Memory {
  return { read: () => pushState.upload(key), write: (upload) => pushState.keepUpload(key, upload) }
}

async function transfer(
  target: Target,
  { oid, file }: LfsObject,
  upload: Action,
  memory: Memory,
  meter: Meter,
): Promise<void> {
  const place = `${target.name} › ${file.path}`
  const partLength = Number(upload.header?.['chunk_size'])
  if (!upload.header || !('chunk_size' in upload.header)) {
    const headers = Object.fromEntries(
      Object.entries(upload.header ?? {}).flatMap(([name, value]) =>
        ownHeader(name) ? [] : [[name.toLowerCase(), String(value)]],
      ),
    )
    const onSent = meter.part(oid, oid)
    await requestOk(
      target,
      addressOf(target, upload.href),
      { method: 'PUT', headers, body: fileBody(file), onSent },
      place,
      dropped,
    )
    return
  }
  const before = memory.read()
  let state = before && fits(before, file.size) ? before : layoutOf(upload, partLength, file, place)
  const open = state.parts.map((_, index) => index).filter((index) => state.etags[index] === undefined)
  for (const index of state.parts.keys())
    if (state.etags[index] !== undefined) meter.part(oid, `${oid} ${index}`, true)(rangeOf(state, file, index)[2])
  await inParallel(open, partsAtOnce, target.signal, async (index, stop) => {
    const [from, to] = rangeOf(state, file, index)
    const options = {
      method: 'PUT',
      body: fileBody(file, from, to),
      onSent: meter.part(oid, `${oid} ${index}`),
      signal: stop,
    } as const
    const { headers } = await requestOk(
      target,
      addressOf(target, state.parts[index] ?? ''),
      options,
      `${place}, part ${index + 1}`,
      dropped,
    )
    const etag = headers.get('etag')
    if (etag === null || etag === '')
      throw fault('hub.server', { place, what: 'the store took a part without naming it', wanted: 'an ETag header' })
    state = { ...state, etags: { ...state.etags, [index]: etag } }
    await memory.write(state)
  })
  const parts = state.parts.map((_, index) => ({ partNumber: index + 1, etag: state.etags[index] }))
  const whole = { method: 'POST', headers: lfsHeaders, body: jsonBody({ oid, parts }) } as const
  await requestOk(target, addressOf(target, state.href), whole, place, dropped)
}

async function verify(target: Target, { oid, file }: LfsObject, { href, header }: Action): Promise<void> {
  const headers = {
    ...lfsHeaders,
    ...Object.fromEntries(Object.entries(header ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)])),
  }
  const options = { method: 'POST', headers, body: jsonBody({ oid, size: file.size }) } as const
  await requestOk(target, addressOf(target, href), options, `${target.name} › ${file.path}`, dropped)
}

/** A response of which only the head is wanted. */
async function dropped(response: HubResponse): Promise<HubResponse> {
  await response.drop()
  return response
}

function layoutOf({ href, header }: Action, partLength: number, file: LocalFile, place: string): PartedUpload {
  const numbered = Object.entries(header ?? {}).filter(([name]) => /^\d+$/.test(name))
  const parts = numbered.sort(([a], [b]) => Number(a) - Number(b)).map(([, address]) => String(address))
  const upload = { href, partLength, parts, etags: {}, begun: Date.now() }
  if (fits(upload, file.size)) return upload
  throw fault('hub.server', {
    place,
    what: 'the parts that the hub laid out do not fit the file',
    seen: `${parts.length} parts of ${partLength} bytes`,
    wanted: `${file.size} bytes`,
  })
}

function fits({ partLength, parts }: PartedUpload, size: number): boolean {
  return Number.isSafeInteger(partLength) && partLength > 0 && parts.length === Math.ceil(size / partLength)
}

function rangeOf(
  { partLength }: PartedUpload,
  { size }: LocalFile,
  index: number,
): [from: number, to: number, byteLength: number] {
  const [from, to] = [index * partLength, Math.min(size, (index + 1) * partLength)]
  return [from, to, to - from]
}

/** Headers that the request sets itself. */
function ownHeader(name: string): boolean {
  return ['host', 'content-length', 'transfer-encoding', 'connection'].includes(name.toLowerCase())
}

/** A hub behind another address still names itself in its answers. */
function addressOf({ settings, name }: Target, href: string): string {
  const address = href.replace(/^https:\/\/huggingface\.co(?=\/|$)/, settings.endpoint)
  if (URL.canParse(address) && /^https?:/.test(address)) return address
  throw fault('hub.server', {
    place: name,
    what: 'the hub names a store that is not an address',
    seen: href.slice(0, 80),
  })
}

interface Meter {
  /** All of an object is there. */
  set(oid: string, byteLength: number): void
  /** Counts one request: bytes of its body so far. `before`: they went over the line another time. */
  part(oid: string, key: string, before?: boolean): (byteLength: number) => void
  line(): number
}

function createMeter(onBytes: ((byteLength: number) => void) | undefined): Meter {
  const here = new Map<string, number>()
  let [finished, line] = [0, 0]
  const tell = (): void => onBytes?.([...here.values()].reduce((sum, each) => sum + each, finished))
  return {
    set(oid, byteLength) {
      for (const key of here.keys()) if (key === oid || key.startsWith(`${oid} `)) here.delete(key)
      finished += byteLength
      tell()
    },
    part: (_, key, before = false) => {
      return (byteLength) => {
        if (!before) line += Math.max(0, byteLength - (here.get(key) ?? 0))
        here.set(key, byteLength)
        tell()
      }
    },
    line: () => line,
  }
}
