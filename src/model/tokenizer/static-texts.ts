/** Texts as the encoder of a static table reads them. */
import { fault, type RepoFiles } from '#core'
import { loadTokenizer } from './load.ts'
import type { StaticTokenizer } from './static-tokenizer.ts'

/**
 * Ids in the table of each text, without special tokens and without the unknown one, `maxLength` tokens before it is left
 * out.
 */
export async function readStaticTexts(
  { json, unknownId }: Pick<StaticTokenizer, 'json' | 'unknownId'>,
  texts: readonly string[],
  { name, maxLength }: { name: string; maxLength: number },
): Promise<Int32Array[]> {
  const tokenizer = await loadTokenizer(onlyTokenizer(name, JSON.stringify(json)), { asWritten: true })
  const encoded = await tokenizer.encodeBatch(texts, { addSpecialTokens: false })
  return encoded.map(({ ids }) => ids.filter((id) => id !== unknownId).slice(0, maxLength))
}

/** A repository of one file that is not written yet. */
function onlyTokenizer(name: string, json: string): RepoFiles {
  const own = 'tokenizer.json'
  const find = (path: string): string => {
    if (path === own) return json
    throw fault('file.missing', { place: name, what: 'no such file', seen: path })
  }
  return {
    name,
    revision: undefined,
    list: () => Promise.resolve([own]),
    has: (path) => Promise.resolve(path === own),
    local: (path) => Promise.reject(fault('file.missing', { place: name, what: 'not written yet', seen: path })),
    bytes: async (path) => Promise.resolve(new TextEncoder().encode(find(path))),
    text: async (path) => Promise.resolve(find(path)),
  }
}
