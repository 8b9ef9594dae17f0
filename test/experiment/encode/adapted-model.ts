/** The checkpoint of `oracles/task_adapters.py` as a folder of sentence-transformers that reads the words `a` and `b`. */
import { readFloat32 } from '#files/formats'
import { goldenOf } from '../../golden-of.ts'
import { type TestTensor, writeRepo } from '../../model/checkpoint/made-repo.ts'
import { drawnSource, type FamilyCase } from '../../model/graph/drawn-checkpoint.ts'

const file = goldenOf<FamilyCase>('model/adapters', 'task-adapters')
const instructions = { 'retrieval.query': 'a ', 'retrieval.passage': 'b ', 'text-matching': '' }

/** `transformer` and `more` are laid over its settings and its config.json; without `adapters` it holds none. */
export async function writeAdaptedModel(
  folder: string,
  transformer: object = {},
  more: object = {},
  adapters = true,
): Promise<string> {
  const source = drawnSource(file)
  const names = source.names().filter((name) => adapters || !name.includes('lora_'))
  const tensors = await Promise.all(
    names.map(async (name): Promise<[string, TestTensor]> => [
      name,
      { shape: source.info(name)?.shape ?? [], values: await readFloat32(source, name) },
    ]),
  )
  const vocab = { '<s>': 0, '<pad>': 1, '</s>': 2, '<unk>': 3, a: 4, b: 5 }
  await writeRepo(folder, {
    'config.json': { ...file.config, task_instructions: instructions, ...more },
    'modules.json': [
      { idx: 0, name: 'transformer', path: '', type: 'custom_st.Transformer', kwargs: ['task'] },
      { idx: 1, name: 'pooler', path: '1_Pooling', type: 'sentence_transformers.models.Pooling' },
    ],
    'sentence_bert_config.json': { max_seq_length: 16, do_lower_case: false, ...transformer },
    '1_Pooling/config.json': { word_embedding_dimension: 12, pooling_mode_mean_tokens: true },
    'tokenizer.json': {
      version: '1.0',
      added_tokens: [],
      pre_tokenizer: { type: 'Whitespace' },
      model: { type: 'WordLevel', vocab, unk_token: '<unk>' },
    },
    'tokenizer_config.json': { tokenizer_class: 'PreTrainedTokenizerFast', pad_token: '<pad>', unk_token: '<unk>' },
    'model.safetensors': Object.fromEntries(tensors),
  })
  return folder
}
