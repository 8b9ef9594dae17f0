/** The child of `child-process.ts`: one tokenizer, one request after another, until its parent is gone. */
import type { Reply, Request } from './child-process.ts'
import { openEngine, type Engine } from './engine.ts'

let engine: Engine | undefined

async function answer(request: Request): Promise<unknown> {
  if (request.kind === 'open') {
    engine = await openEngine(request.json)
    return undefined
  }
  if (engine === undefined) throw new Error('asked before a tokenizer was opened')
  switch (request.kind) {
    case 'encode':
      return engine.encode(request.texts, request.offsets)
    case 'split':
      return engine.split(request.texts)
    case 'decode':
      return engine.decode(request.ids, request.skipSpecialTokens)
    default:
      return request satisfies never
  }
}

process.on('message', (request: Request) => {
  answer(request).then(
    (value) => reply({ value }),
    (error: unknown) => reply({ error: error instanceof Error ? error.message : String(error) }),
  )
})
process.on('disconnect', () => process.exit())

function reply(reply: Reply): void {
  process.send?.(reply)
}
