/** Every address of the board: its page, its events, and the parts that the page asks for. */
import { fault } from '#core'
import type { Zod } from '#files/formats'
import { json } from '#serve/http'
import type { Notice } from './board.ts'
import { compareHtml } from './compare-view.ts'
import { resultHtml } from './result-view.ts'
import { type BoardRoute, get, post, type World } from './world.ts'

const page = get({
  path: '/',
  dialect: 'openai',
  summary: 'The page; it contains no result',
  isOpen: true,
  run: (_, { world }) => Promise.resolve({ kind: 'text', text: world.page, type: 'text/html; charset=utf-8' }),
})

/** Milliseconds after which an idle connection hears that it is alive. */
const beat = 15_000

const events = get({
  path: '/events',
  dialect: 'openai',
  summary: 'What there is to show, whenever it changes',
  run: (_, { world, signal }) => Promise.resolve({ kind: 'stream', events: notices(world, signal) }),
})

/** A client that reads slowly is sent the latest notice, never a queue of them. */
async function* notices({ board, signal: stopping }: World, gone: AbortSignal): AsyncGenerator<Notice | object> {
  const signal = AbortSignal.any([stopping, gone])
  let version: number | undefined
  while (!signal.aborted) {
    const notice = board.notice()
    yield notice.version === version ? {} : notice
    ;({ version } = notice)
    await board.next(version, { signal, milliseconds: beat })
  }
}

const longest = 500

/** A part of the page, and which rows of its table. */
function viewSchema(z: Zod) {
  return z.strictObject({
    id: z.string().max(longest),
    sort: z.int().min(0).optional(),
    order: z.enum(['ascending', 'descending']).optional(),
    words: z.string().max(longest).optional(),
    from: z.int().min(0).optional(),
  })
}

const part = post({
  path: '/part',
  dialect: 'openai',
  summary: 'Content of a part of the page',
  schema: viewSchema,
  async run({ id, ...view }, { world: { board } }) {
    const html = await board.html(id, view)
    if (html === undefined) throw gone(id)
    return json({ html })
  },
})

const result = post({
  path: '/result',
  dialect: 'openai',
  summary: 'One result: its numbers, its items, their texts',
  schema: viewSchema,
  async run(view, { world: { board, textsOf, lanes }, signal }) {
    const html = await lanes.take(signal, () => resultHtml(board.shown().seen, view, textsOf))
    if (html === undefined) throw gone(view.id)
    return json({ html })
  },
})

const compare = post({
  path: '/compare',
  dialect: 'openai',
  summary: 'Two rows side by side',
  schema: (z) => z.strictObject({ first: z.string().max(longest), second: z.string().max(longest) }),
  async run(view, { world: { board, textsOf, typeOf, lanes }, signal }) {
    return json({ html: await lanes.take(signal, () => compareHtml(board.shown(), view, { textsOf, typeOf })) })
  },
})

/** Maximum number of names that are offered. */
const offered = 50

const names = post({
  path: '/names',
  dialect: 'openai',
  summary: 'Names of rows that contain some words',
  schema: (z) => z.strictObject({ words: z.string().max(longest) }),
  run({ words }, { world: { board } }) {
    const wanted = words.toLowerCase().split(/\s+/)
    const all = board.shown().report?.rows.map(({ name }) => name) ?? []
    const found = all.filter((name) => wanted.every((word) => name.toLowerCase().includes(word)))
    return Promise.resolve(json({ names: found.slice(0, offered), of: all.length }))
  },
})

function gone(seen: string): Error {
  return fault('usage.value', { place: 'id', what: 'there is nothing of this name now', seen })
}

export const routes: readonly BoardRoute[] = [page, events, part, result, compare, names]
