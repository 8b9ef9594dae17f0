/**
 * tokenizer.json as transformers would write it: with the tokens that only the settings name, and from vocabularies in
 * older forms.
 */
import type { RepoFiles } from '#core'
import { applyClass } from './class-rules.ts'
import { classOf } from './classes.ts'
import { type AddedToken, parse, readDefinition } from './definition.ts'
import { readLegacy } from './legacy.ts'
import { readSettings } from './settings.ts'
import { resolveSpecialTokens } from './special-tokens.ts'
import { vocabularyOf } from './vocabulary.ts'

/** As `loadTokenizer`'s limit. */
const largestFile = 256 * 1024 * 1024

/** Parsed. What the file itself says stays as it stands. Faults: as `loadTokenizer`, without opening a tokenizer. */
export async function readWholeFile(files: RepoFiles): Promise<unknown> {
  const settings = await readSettings(files)
  const kind = classOf(settings.tokenizerClass, settings.modelType)
  const place = `${files.name} › tokenizer.json`
  const text = (await files.has('tokenizer.json')) ? await files.text('tokenizer.json', largestFile) : undefined
  const read = text === undefined ? await readLegacy(files, kind, settings) : readDefinition(text, place)
  const { toAdd } = resolveSpecialTokens(kind, settings, read)
  const vocabulary = vocabularyOf({ model: read.model, addedTokens: [...read.addedTokens, ...toAdd] })
  const numbered = (tokens: readonly AddedToken[]): unknown[] =>
    tokens.map((token) => ({ id: vocabulary.id(token.content), ...token }))
  if (text === undefined) {
    const { normalizer, preTokenizer, postProcessor, decoder, model } = applyClass(read, kind, settings.config)
    const added = [...new Map([...read.addedTokens, ...toAdd].map((token) => [token.content, token])).values()]
    return {
      version: '1.0',
      truncation: null,
      padding: null,
      added_tokens: numbered(added),
      normalizer,
      pre_tokenizer: preTokenizer,
      post_processor: postProcessor,
      decoder,
      model,
    }
  }
  const file = parse(text, place) as { added_tokens?: readonly { content: string }[] }
  const own = vocabularyOf(read)
  const missing = toAdd.filter(({ content }) => own.id(content) === undefined)
  return missing.length === 0
    ? file
    : {
        ...file,
        added_tokens: [
          ...(file.added_tokens ?? []),
          ...numbered([...new Map(missing.map((token) => [token.content, token])).values()]),
        ],
      }
}
