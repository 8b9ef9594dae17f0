/** Folders as sentence-transformers 6 saves a CrossEncoder: a Transformer, its head, and modules behind it. */
import { fault, type RepoFiles } from '#core'
import { readJsonFields } from '#files/formats'

/** Settings of the Transformer that every saved model has, or that are read here. */
const known = ['transformer_task', 'modality_config', 'module_output_name', 'max_seq_length', 'unpad_inputs']

/**
 * Where the scores of a CrossEncoder come from: a head for sequence classification, pooled states through Dense
 * modules, or the logits of tokens that follow the pair.
 */
export type PairHeadKind = 'sequence' | 'pooled' | 'token'

/**
 * Undefined for a folder that is no CrossEncoder, or one whose modules are not known. Throws `config.unsupported` for
 * settings of its Transformer that are not known.
 */
export async function pairHeadKind(
  files: RepoFiles,
  modules: readonly { readonly name: string; readonly folder: string }[],
): Promise<PairHeadKind | undefined> {
  const asking = await readJsonFields(files, 'config_sentence_transformers.json')
  if (asking?.fields['model_type'] !== 'CrossEncoder') return undefined
  const [first, second, ...more] = modules.map(({ name }) => name)
  if (first !== 'Transformer' || modules[0]?.folder !== '') return undefined
  const own = await readJsonFields(files, 'sentence_bert_config.json')
  const other = Object.keys(own?.fields ?? {}).find((key) => !known.includes(key))
  if (other !== undefined)
    throw fault('config.unsupported', {
      place: `${own?.place ?? ''} › ${other}`,
      what: 'a setting of a reranker that is not known',
      wanted: known.join(', '),
    })
  const onlyDense = [second, ...more].every((name) => name === undefined || name === 'Dense')
  switch (own?.fields['transformer_task'] ?? 'sequence-classification') {
    case 'sequence-classification':
      return onlyDense ? 'sequence' : undefined
    case 'feature-extraction':
      return second === 'Pooling' && more.at(-1) === 'Dense' ? 'pooled' : undefined
    case 'text-generation':
      return second === 'LogitScore' && more.length === 0 ? 'token' : undefined
    default:
      return undefined
  }
}

/** The longest pair that such a folder names; undefined: that of tokenizer and positions. */
export async function readPairLength(files: RepoFiles): Promise<number | undefined> {
  if (!(await files.has('modules.json'))) return undefined
  const length = (await readJsonFields(files, 'sentence_bert_config.json'))?.fields['max_seq_length']
  return typeof length === 'number' ? length : undefined
}
