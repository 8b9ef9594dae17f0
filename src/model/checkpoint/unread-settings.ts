/**
 * Settings of a sentence-transformers folder that are not followed: every key of its files is read, known to leave the
 * vectors alone, or reported.
 */
import type { RepoFiles } from '#core'
import { describeUnread, isObject, type JsonFields, readJsonFields, readJsonList } from '#files/formats'
import { transformerFiles } from './modules.ts'

/** Keys that `modules.ts` reads, and those that decide nothing for a text's vector. */
const keysOf = {
  config_sentence_transformers: {
    read: 'model_type prompts default_prompt_name similarity_fn_name truncate_dim activation_fn max_active_dims',
    harmless: '__version__',
  },
  'modules.json': { read: 'type path', harmless: 'idx name kwargs' },
  Transformer: {
    read:
      'max_seq_length do_lower_case config_args config_kwargs tokenizer_args processor_kwargs model_args model_kwargs ' +
      'transformer_task module_output_name modality_config',
    harmless: 'unpad_inputs model_name_or_path cache_dir backend trust_remote_code',
  },
  Pooling: {
    read:
      'pooling_mode include_prompt pooling_mode_cls_token pooling_mode_max_tokens pooling_mode_mean_tokens ' +
      'pooling_mode_mean_sqrt_len_tokens pooling_mode_weightedmean_tokens pooling_mode_lasttoken',
    harmless: 'word_embedding_dimension embedding_dimension',
  },
  WeightedLayerPooling: {
    read: 'layer_start num_hidden_layers',
    harmless: 'word_embedding_dimension embedding_dimension',
  },
  Dense: {
    read: 'in_features out_features bias activation_function use_residual module_input_name module_output_name',
    harmless: '',
  },
  SpladePooling: {
    read: 'pooling_strategy activation_function embedding_dimension word_embedding_dimension',
    harmless: 'chunk_size',
  },
  SparseAutoEncoder: { read: 'input_dim hidden_dim k normalize', harmless: 'k_aux dead_threshold' },
  LayerNorm: { read: 'dimension', harmless: '' },
  MultiVectorMask: { read: 'skiplist_words skiplist_tasks keep_only_token_ids', harmless: '' },
  Normalize: { read: 'module_input_name module_output_name', harmless: '' },
  Dropout: { read: '', harmless: 'dropout' },
} as const satisfies Record<string, { read: string; harmless: string }>

/** Keys that late-interaction models have more of, by the type of the model. */
const keysOfLate: Readonly<Record<string, { readonly asking: string; readonly Transformer: string }>> = {
  ColBERT: {
    asking:
      'query_prefix document_prefix query_length document_length attend_to_expansion_tokens skiplist_words ' +
      'do_query_expansion',
    Transformer: '',
  },
  MultiVectorEncoder: { asking: '', Transformer: 'query_length document_length query_expansion' },
}

/** Loading options of a Transformer that are read, or decide nothing. The others may change tokens or weights. */
const loading = {
  tokenizer: 'model_max_length use_fast trust_remote_code revision token cache_dir local_files_only',
  model:
    'output_hidden_states trust_remote_code revision code_revision token cache_dir local_files_only use_cache ' +
    'attn_implementation _attn_implementation torch_dtype dtype unpad_inputs use_memory_efficient_attention ' +
    'low_cpu_mem_usage add_pooling_layer use_safetensors default_task',
}

/** One line for each file that has such settings; none for a folder without modules.json. */
export async function unreadSettings(files: RepoFiles): Promise<string[]> {
  const list = await readJsonList(files, 'modules.json')
  if (list === undefined) return []
  const notices: string[] = []
  const look = (place: string, fields: Readonly<Record<string, unknown>>, known: string): void => {
    notices.push(...describeUnread({ place, fields }, known.split(' ').filter(Boolean)))
  }
  const all = (name: keyof typeof keysOf): string => `${keysOf[name].read} ${keysOf[name].harmless}`
  const asking = await readJsonFields(files, 'config_sentence_transformers.json')
  const type = asking?.fields['model_type']
  const late = typeof type === 'string' && Object.hasOwn(keysOfLate, type) ? keysOfLate[type] : undefined
  if (asking !== undefined)
    look(asking.place, asking.fields, `${all('config_sentence_transformers')} ${late?.asking ?? ''}`)
  for (const [index, entry] of list.entries()) {
    if (!isObject(entry)) continue
    look(`${files.name}/modules.json › ${index}`, entry, all('modules.json'))
    const { type: of, path } = entry
    const name = typeof of === 'string' ? of.split('.').at(-1) : undefined
    const module = Object.keys(keysOf).find((known) => known === name) as keyof typeof keysOf | undefined
    if (module === undefined || typeof path !== 'string') continue
    const config = await readSettingsFile(files, module, path.replace(/\/$/, ''))
    if (config === undefined) continue
    const more = module === 'Transformer' ? (late?.Transformer ?? '') : ''
    look(config.place, config.fields, `${all(module)} ${more}`)
    for (const key of ['tokenizer_args', 'processor_kwargs', 'model_args', 'model_kwargs']) {
      const options = config.fields[key]
      if (module !== 'Transformer' || !isObject(options)) continue
      look(`${config.place} › ${key}`, options, /^(?:tok|proc)/.test(key) ? loading.tokenizer : loading.model)
    }
  }
  return notices
}

async function readSettingsFile(files: RepoFiles, module: string, folder: string): Promise<JsonFields | undefined> {
  const inFolder = (name: string): string => (folder === '' ? name : `${folder}/${name}`)
  // In the root, config.json is the transformer's own.
  if (module !== 'Transformer') return folder === '' ? undefined : readJsonFields(files, inFolder('config.json'))
  for (const name of transformerFiles) {
    const found = await readJsonFields(files, inFolder(name))
    if (found !== undefined) return found
  }
  return undefined
}
