/** Opened models behind an address, until a signal. */
import { byteText, grouped } from '#core'
import type { Model } from '#model/checkpoint'
import { representationName } from '#representation/layers'
import { listen, type ListenOptions, openGauges, settleListening } from '#serve/http'
import { isKeepable } from './queued-model.ts'
import { routes } from './routes.ts'
import { serveModels } from './served.ts'

export interface ServeOptions extends ListenOptions {
  /** The first is what a model's name alone asks for; files among them. */
  readonly representations?: readonly string[] | undefined
  /** Tokens of a pass. */
  readonly maxBatchTokens?: number | undefined
  /** Vectors of texts are kept in the store that the models were opened with, and taken from there; default false. */
  readonly isKept?: boolean | undefined
}

const usualBatch = 4096

/** What a server would be asked for, and under which limits. */
export interface ServerPlan {
  readonly host: string
  readonly port: number
  readonly key: 'asked' | 'not asked'
  readonly origins: readonly string[]
  readonly maxBatchTokens: number
  readonly maxQueue: number
  readonly maxBody: number
  /** Vectors of some representation come from a cache. */
  readonly isKept: boolean
  readonly models: readonly {
    readonly name: string
    readonly plain: string
    readonly names: readonly string[]
    /** Those whose vectors come from the cache. */
    readonly kept: readonly string[]
    readonly settings: Model['settings']
    readonly memoryBytes: number
  }[]
  /** The same for people. */
  readonly lines: readonly string[]
}

/** Opens every representation, and no socket. Throws as `serveUntil` does. */
export async function planServer(models: readonly Model[], options: ServeOptions): Promise<ServerPlan> {
  const { representations = [], maxBatchTokens = usualBatch, isKept = false, ...given } = options
  const { host, port, key, origins, maxQueue, maxBody } = settleListening(given)
  const served = await serveModels(models, representations, { maxBatchTokens })
  const rows = await Promise.all(
    served.all.map(async ({ name, model, named, listed, plain }) => ({
      name,
      plain: representationName(plain),
      names: listed,
      kept: [...new Set([representationName(plain), ...listed])].filter(
        (one) => isKept && isKeepable(named.get(one) ?? plain, model),
      ),
      settings: model.settings,
      memoryBytes: await model.memoryBytes(),
    })),
  )
  const keyWord = key === undefined ? 'not asked' : 'asked'
  return {
    host,
    port,
    key: keyWord,
    origins,
    maxBatchTokens,
    maxQueue,
    maxBody,
    isKept: rows.some(({ kept }) => kept.length > 0),
    models: rows,
    lines: [
      `http://${host}:${port}, key ${keyWord}, pages of ${origins.join(', ') || 'no other origin'}`,
      `at most ${grouped(maxBatchTokens)} tokens per pass, ${grouped(maxQueue)} requests under way, ${byteText(maxBody)} per request`,
      ...(isKept ? [cacheLine(rows)] : []),
      ...rows.map(
        ({ name, plain, names, memoryBytes }) =>
          `${name}: ${[plain, ...names.filter((one) => one !== plain)].join(', ')}; memory ≤ ${byteText(memoryBytes)}`,
      ),
    ],
  }
}

function cacheLine(rows: ServerPlan['models']): string {
  const others = rows.flatMap(({ name, plain, names, kept }) =>
    [...new Set([plain, ...names])].filter((one) => !kept.includes(one)).map((one) => `${name}#${one}`),
  )
  const [first] = others
  if (first === undefined) return 'vectors of texts asked before come from the cache'
  return rows.some(({ kept }) => kept.length > 0)
    ? `vectors of texts asked before come from the cache, but none of ${others.join(', ')}`
    : `the cache has no vectors of ${others.join(', ')}: every text passes the model`
}

/** Throws `usage.conflict` for a host that others reach without a key, `server.network`, `representation.*`. */
export async function serveUntil(models: readonly Model[], options: ServeOptions): Promise<void> {
  const { representations = [], maxBatchTokens = usualBatch, isKept = false, ...given } = options
  const listening = settleListening(given)
  const gauges = openGauges()
  const served = await serveModels(models, representations, {
    maxBatchTokens,
    isKept,
    onKept(hits, misses) {
      gauges.count('strata_cache_hits_total', {}, hits)
      gauges.count('strata_cache_misses_total', {}, misses)
    },
    onPass(rows, tokens) {
      gauges.count('strata_texts_total', {}, rows)
      gauges.count('strata_tokens_total', {}, tokens)
      gauges.observe('strata_batch_rows', rows)
      gauges.observe('strata_batch_tokens', tokens)
    },
  })
  try {
    let address = ''
    const onOpen = (opened: string): void => {
      address = opened
      listening.onOpen?.(opened)
    }
    const world = { served, gauges, isKeyed: listening.key !== undefined, address: () => address }
    await listen(routes, world, { ...listening, onOpen, gauges })
  } finally {
    await served.close()
  }
}
