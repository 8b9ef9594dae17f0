/** Servers of tests: one that answers what it is told to, and one that runs a checkpoint. */
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { specOf } from '#model/architectures'
import { loadTokenizer } from '#model/tokenizer'
import { openRepo, parseReference } from '#files/hub'
import { openGraphs } from '../../../src/model/passes/graphs.ts'
import { generateTexts } from '../../../src/model/language/generate.ts'
import type { TokenScore } from '../../../src/model/language/run-packs.ts'
import { scoreTokens } from '../../../src/model/language/score-tokens.ts'
import { fileSource } from '../graph/safetensors-source.ts'

export interface Question {
  readonly path: string
  readonly authorization: string | undefined
  readonly body: Readonly<Record<string, unknown>>
}

/** An object is sent as JSON, a text as it is. */
export interface Reply {
  readonly status?: number | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly content: unknown
}

export interface Answering {
  readonly root: string
  readonly questions: Question[]
  close(): Promise<void>
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return JSON.parse(Buffer.concat(pieces).toString()) as Record<string, unknown>
}

/** Undefined: no answer ever. */
export async function answering(
  answer: (question: Question) => Promise<Reply | undefined> | Reply | undefined,
): Promise<Answering> {
  const questions: Question[] = []
  const server: Server = createServer((request, response) => {
    void bodyOf(request).then(async (body) => {
      const question = { path: request.url ?? '', authorization: request.headers.authorization, body }
      questions.push(question)
      const reply = await answer(question)
      if (reply === undefined) return
      response.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers })
      response.end(typeof reply.content === 'string' ? reply.content : JSON.stringify(reply.content))
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    root: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    questions,
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

/** Completions of the checkpoint in `folder`: token by token, without what Strata's own requests are made of. */
export async function checkpointServer(folder: string): Promise<Answering> {
  const config = JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8')) as Record<string, unknown>
  const spec = specOf(config, { place: folder })
  const graphs = openGraphs(spec, fileSource(join(folder, 'model.safetensors')), {
    engine: 'onnxruntime',
    type: 'float32',
    threads: 1,
    device: 'cpu',
  })
  const tokenizer = await loadTokenizer(await openRepo(parseReference(folder)))
  const parts = { spec, graphs, window: 512, budget: 4096, name: 'served' }
  const echoed = async (ids: readonly number[]): Promise<unknown> => {
    const scores: TokenScore[] = []
    const requests = ids
      .slice(1)
      .map((id, i) => ({ context: Int32Array.from(ids.slice(0, i + 1)), continuation: Int32Array.of(id) }))
    await scoreTokens(requests, parts, { onScore: (i, score) => (scores[i] = score) })
    const own = scores.map(({ logLikelihood }) => logLikelihood)
    const top = scores.map(({ logLikelihood, isGreedy }) => ({
      best: isGreedy ? logLikelihood : Math.min(0, logLikelihood + 0.5),
    }))
    return { token_logprobs: [null, ...own, -1], top_logprobs: [null, ...top, { best: -1 }] }
  }
  const server = await answering(async ({ body }) => {
    const prompts = body['prompt'] as readonly (readonly number[])[]
    if (body['echo'] === true)
      return {
        content: {
          choices: await Promise.all(
            prompts.map(async (ids, index) => ({ index, text: '', logprobs: await echoed(ids) })),
          ),
        },
      }
    const texts = await generateTexts(
      prompts.map((ids) => Int32Array.from(ids)),
      { ...parts, tokenizer, ends: [2] },
      { maxTokens: body['max_tokens'] as number, until: body['stop'] as string[] },
    )
    return {
      content: {
        choices: texts.map(({ text, end }, index) => ({
          index,
          text,
          finish_reason: end === 'length' ? 'length' : 'stop',
        })),
      },
    }
  })
  return {
    ...server,
    async close() {
      await server.close()
      await graphs.close()
    },
  }
}
