/** BM25 as a model: it has no vectors and no tensors, and searches by counted words. */
import { fault, fingerprint } from '#core'
import { bm25Defaults, bm25Searcher, bm25Version, type Bm25Settings } from '#model/lexical'
import type { Model } from './model.ts'
import { noTensors, tableFacts, tableModel } from './table-model.ts'

/** Whether a reference means BM25: `bm25`, or with settings `bm25:k1=0.9,b=0.4`. A folder of that name is `./bm25`. */
export function isBm25(reference: string): boolean {
  return reference === 'bm25' || reference.startsWith('bm25:')
}

/**
 * Opens BM25 with mteb's settings, or those behind the colon. Throws `usage.value` for other settings than `k1` (0 or
 * greater) and `b` (0 to 1).
 */
export function openBm25(reference: string): Model {
  const settings = readSettings(reference)
  const isOwn = settings.k1 === bm25Defaults.k1 && settings.b === bm25Defaults.b
  const overrides = isOwn ? [] : [`k1-${settings.k1}`, `b-${settings.b}`]
  const table = tableModel({ similarity: 'dot' })
  const tensors = noTensors('bm25')
  const vectorless = (): Promise<never> =>
    Promise.reject(
      fault('config.unsupported', { place: 'bm25', what: lacks, hint: 'ask it tasks of retrieval or reranking' }),
    )
  return {
    name: 'bm25',
    revision: () => Promise.resolve('bm25s-0.3.16'),
    ...table,
    settings: { ...table.settings, bm25: settings },
    overrides,
    prompts: { prompts: {}, defaultName: undefined },
    tensors,
    notices: [],
    facts: () => Promise.resolve(tableFacts(tensors, { family: 'BM25', modelType: 'bm25', width: 0 })),
    identity: () =>
      Promise.resolve({
        tensors: '',
        spec: fingerprint({ settings, bm25Version }),
        tokenizer: bm25Version,
        modules: '',
      }),
    memoryBytes: () => Promise.resolve(processBytes),
    defaultLacks: lacks,
    embedder: vectorless,
    encoder: vectorless,
    searcher: () => Promise.resolve(bm25Searcher(settings, 'bm25')),
    close: () => Promise.resolve(),
  }
}

const lacks = 'BM25 counts words and has no vectors of texts'
const processBytes = 250e6

function readSettings(reference: string): Bm25Settings {
  const given = reference === 'bm25' ? [] : reference.slice('bm25:'.length).split(',')
  const found: { k1: number; b: number } = { ...bm25Defaults }
  for (const setting of given) {
    const [, name, text = ''] = /^(k1|b)=(\d+(?:\.\d+)?)$/.exec(setting) ?? []
    if ((name !== 'k1' && name !== 'b') || (name === 'b' && Number(text) > 1))
      throw fault('usage.value', {
        place: reference,
        what: 'not a setting of BM25',
        seen: setting,
        wanted: 'k1 of 0 or greater and b from 0 to 1, as in bm25:k1=0.9,b=0.4',
      })
    found[name] = Number(text)
  }
  return found
}
