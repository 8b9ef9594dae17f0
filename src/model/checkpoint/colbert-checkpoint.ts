/**
 * ColBERT's own checkpoints, as its program saves them: BERT with the projection of its tokens among the tensors, and
 * settings in `artifact.metadata`. Read as pylate 1.6 reads them, but that `mask_punctuation: false` is followed.
 */
import { fault, type RepoFiles, type TensorSource } from '#core'
import { fieldOf, flagOf, type JsonFields, optionalTextOf, readFloat32, readJsonFields } from '#files/formats'
import { colbert } from './late-interaction-folder.ts'
import type { ModulesSpec } from './modules.ts'

const settingsFile = 'artifact.metadata'
const projection = 'linear.weight'

/** Undefined for a checkpoint of any other class. Throws `config.*`, `tensor.*`. */
export async function readColbertCheckpoint(files: RepoFiles, tensors: TensorSource): Promise<ModulesSpec | undefined> {
  const config = await readJsonFields(files, 'config.json')
  const classes = config && fieldOf(config.fields, 'architectures')
  if (!Array.isArray(classes) || classes[0] !== 'HF_ColBERT') return undefined
  const own = (await readJsonFields(files, settingsFile)) ?? { place: `${files.name}/${settingsFile}`, fields: {} }
  const [outputs, inputs] = tensors.info(projection)?.shape ?? []
  if (outputs === undefined || inputs === undefined)
    throw fault('tensor.missing', {
      place: files.name,
      what: 'the checkpoint of ColBERT has no projection',
      wanted: projection,
    })
  return {
    kind: 'transformer',
    names: ['HF_ColBERT'],
    folder: '',
    pooling: ['mean'],
    includePrompt: true,
    maxLength: undefined,
    lowerCase: false,
    prompts: {},
    defaultPromptName: undefined,
    similarity: undefined,
    layerMix: undefined,
    lateInteraction: colbert(inWordsOfPylate(own)),
    later: [
      {
        kind: 'dense',
        place: `${files.name} › ${projection}`,
        inputs,
        outputs,
        weight: await readFloat32(tensors, projection),
        bias: undefined,
        activation: 'Identity',
        residual: undefined,
      },
      { kind: 'normalize' },
    ],
  }
}

/** Tokens of the vocabulary stand for the markers. Throws `config.unsupported` for distances. */
function inWordsOfPylate(own: JsonFields): JsonFields {
  const similarity = optionalTextOf(own, 'similarity') ?? 'cosine'
  if (similarity !== 'cosine')
    throw fault('config.unsupported', {
      place: `${own.place} › similarity`,
      what: 'tokens are compared by their cosines only',
      seen: similarity,
      wanted: 'cosine',
    })
  return {
    place: own.place,
    fields: {
      query_prefix: optionalTextOf(own, 'query_token_id') ?? '[unused0]',
      document_prefix: optionalTextOf(own, 'doc_token_id') ?? '[unused1]',
      query_length: fieldOf(own.fields, 'query_maxlen'),
      document_length: fieldOf(own.fields, 'doc_maxlen'),
      attend_to_expansion_tokens: flagOf(own, 'attend_to_mask_tokens', false),
      ...(flagOf(own, 'mask_punctuation', true) ? {} : { skiplist_words: [] }),
    },
  }
}
