/** Folders as sentence-transformers 6 saves a CrossEncoder: one Transformer with its head, and no pooling behind it. */
import { fault, type RepoFiles } from '#core'
import { readJsonFields } from '#files/formats'

/** Settings of the Transformer that every saved head has, or that `readPairLength` reads. */
const known = ['transformer_task', 'modality_config', 'module_output_name', 'max_seq_length', 'unpad_inputs']

/** Whether the modules are those of a cross-encoder with a head. Throws `config.unsupported` for other settings of it. */
export async function isCrossEncoderFolder(
  files: RepoFiles,
  modules: readonly { readonly name: string; readonly folder: string }[],
): Promise<boolean> {
  const asking = await readJsonFields(files, 'config_sentence_transformers.json')
  if (asking?.fields['model_type'] !== 'CrossEncoder') return false
  const [first, ...more] = modules
  if (first?.name !== 'Transformer' || first.folder !== '' || more.length > 0) return false
  const own = await readJsonFields(files, 'sentence_bert_config.json')
  const task = own?.fields['transformer_task'] ?? 'sequence-classification'
  if (task !== 'sequence-classification') return false
  const { default_prompt_name: prompt } = asking.fields
  if (prompt !== undefined && prompt !== null)
    throw fault('config.unsupported', {
      place: `${asking.place} › default_prompt_name`,
      what: 'a reranker reads pairs without a prompt',
      seen: prompt,
    })
  const other = Object.keys(own?.fields ?? {}).find((key) => !known.includes(key))
  if (other !== undefined)
    throw fault('config.unsupported', {
      place: `${own?.place ?? ''} › ${other}`,
      what: 'a setting of a reranker that is not known',
      wanted: known.join(', '),
    })
  return true
}

/** The longest pair that such a folder names; undefined: that of tokenizer and positions. */
export async function readPairLength(files: RepoFiles): Promise<number | undefined> {
  if (!(await files.has('modules.json'))) return undefined
  const length = (await readJsonFields(files, 'sentence_bert_config.json'))?.fields['max_seq_length']
  return typeof length === 'number' ? length : undefined
}
