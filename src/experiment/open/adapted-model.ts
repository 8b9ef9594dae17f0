/** An adapter over its base as one model: tensors, and a config that is true of them. */
import type { RepoFiles, TensorSource } from '#core'
import { applyLora, unreadLoraFields } from '#model/adapters'
import { tensorRoles, textConfig, tiedHead, untiedConfig, vocabularyRows } from '#model/architectures'
import type { ModelParts } from '#model/checkpoint'
import { parseJson } from '#files/formats'
import { readConfig } from './config-of.ts'
import { withTexts } from './with-texts.ts'

type Fields = Readonly<Record<string, unknown>>

/** Throws what reading both configs and `applyLora` throw. */
export async function adaptedModel(
  base: ModelParts,
  files: RepoFiles,
  adapter: TensorSource,
): Promise<Pick<ModelParts, 'tensors' | 'body' | 'notices'>> {
  const path = 'adapter_config.json'
  const [config, settings] = [await readConfig(base.body), parseJson(await files.text(path), `${files.name}/${path}`)]
  const tied = tiedHead(config, base.tensors.names())
  const tensors = applyLora(base.tensors, adapter, { config: settings, place: files.name, tied })
  const parted =
    tied !== undefined && base.tensors.info(tied.head) === undefined && tensors.info(tied.head) !== undefined
  const settled = parted ? untiedConfig(config) : config
  const grown = resized(settled, base.tensors, tensors)
  const own = grown?.config ?? settled
  const texts = new Map([['config.json', JSON.stringify(own)]])
  return {
    tensors,
    body: own === config ? base.body : withTexts(base.body, texts),
    notices: [
      ...(base.notices ?? []),
      ...unreadLoraFields(settings, `${files.name}/${path}`),
      ...(grown === undefined ? [] : [`${files.name}: ${grown.notice}`]),
      ...unread(config, base.tensors, tensors).map(
        (name) => `${files.name}: nothing reads ${name}: the family has no place for it`,
      ),
    ],
  }
}

/** The config of a model whose token table came with the adapter and has other rows than the base's. */
function resized(
  config: Fields,
  base: TensorSource,
  tensors: TensorSource,
): { config: Fields; notice: string } | undefined {
  const roleOf = tensorRoles(config, base.names())
  const table = base.names().find((name) => roleOf(name).kind === 'token-embedding')
  const [before, rows] = [base, tensors].map((source) => source.info(table ?? '')?.shape[0])
  const said = vocabularyRows(config)
  if (rows === undefined || said === undefined || rows === before || rows === said) return undefined
  const text = textConfig(config)
  return {
    config:
      'vocab_size' in text
        ? { ...config, text_config: { ...text, vocab_size: rows } }
        : { ...config, vocab_size: rows },
    notice: `its token table has ${rows} rows where the base has ${before}; the tokenizer is the base's`,
  }
}

/** Tensors that only the adapter has and the family does not know. */
function unread(config: Fields, base: TensorSource, tensors: TensorSource): string[] {
  const added = tensors.names().filter((name) => base.info(name) === undefined)
  if (added.length === 0) return []
  const roleOf = tensorRoles(config, base.names())
  const isKnown = base.names().some((name) => roleOf(name).slot !== undefined)
  return isKnown ? added.filter((name) => roleOf(name).slot === undefined) : []
}
