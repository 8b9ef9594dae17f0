/**
 * A static table as a model: it has no layers, only `default`; nothing is cached, because looking rows up is as fast as
 * reading them back.
 */
import { fault, fingerprint, type Matrix } from '#core'
import { folderFiles } from '#files/hub'
import { loadTokenizer } from '#model/tokenizer'
import type { Model } from './model.ts'
import { tableEncoder, tableFacts, tableModel } from './table-model.ts'
import { ruleOf } from './model-rules.ts'
import type { ModelOptions } from '#model/passes'
import { modulesIdentity } from './modules-identity.ts'
import { applyModules, laterWidth, type ModulesSpec } from './modules.ts'
import type { ModelParts } from './parts.ts'
import { choosePrompt } from './prompts.ts'
import { promptsOf } from './settings.ts'
import { type EmbedOptions, openStatic } from '#model/static'

export async function openStaticModel(
  parts: ModelParts,
  modules: ModulesSpec | undefined,
  options: ModelOptions,
): Promise<Model> {
  const { body, tensors, name, revision } = parts
  const { dtype = 'float32' } = options
  if (dtype !== 'float32')
    throw fault('usage.conflict', {
      place: name,
      what: 'a static table is looked up, not computed',
      seen: `--dtype ${dtype}`,
      wanted: 'float32',
    })
  // model2vec reads only tokenizer.json.
  const tokenizer = await loadTokenizer(folderFiles(body, '', { only: ['tokenizer.json'] }), { asWritten: true })
  const table = await openStatic(body, tensors, tokenizer)
  const later = modules?.later ?? []
  const width = laterWidth(later, table.width)
  const prompts = promptsOf(modules, await ruleOf(name), options)
  const embed = async (texts: readonly string[], prompt: string | null, call: EmbedOptions = {}): Promise<Matrix> =>
    applyModules(later, await table.embed(prompt === null ? texts : texts.map((text) => prompt + text), call))

  return {
    name,
    revision,
    ...tableModel({ maxLength: table.maxLength, similarity: modules?.similarity, normalize: options.normalize }),
    prompts,
    tensors,
    notices: [...(parts.notices ?? []), ...tokenizer.unread, ...table.unread],
    facts: () =>
      Promise.resolve(
        tableFacts(tensors, {
          family: 'Static table',
          modelType: 'static',
          width,
          modules: modules?.names ?? [],
          prompts: prompts.prompts,
          vocabulary: tokenizer.vocabularySize,
        }),
      ),
    async identity() {
      return {
        tensors: await tensors.identity(),
        spec: fingerprint({ rule: table.rule, maxLength: table.maxLength ?? null, normalized: table.normalized }),
        tokenizer: tokenizer.identity,
        modules: modulesIdentity(modules),
      }
    },
    // once more while it is read
    memoryBytes: () => Promise.resolve(2 * table.bytes + processBytes),
    embedder: () =>
      Promise.resolve({
        representation: 'default',
        width,
        embed: (texts, call = {}) => embed(texts, choosePrompt(prompts, call), call),
      }),
    encoder: () => Promise.resolve(tableEncoder(width, embed)),
    close: () => tensors.close(),
  }
}

/** The program, the tokenizer and a chunk of vectors (measured with a 30,000 × 128 table: 120 MB). */
const processBytes = 250e6
