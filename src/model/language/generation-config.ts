/** generation_config.json: the tokens that end an answer, and settings that transformers would follow. */
import type { RepoFiles } from '#core'
import { describeUnread, fieldOf, isObject, parseJson } from '#files/formats'

export interface GenerationConfig {
  readonly ends: readonly number[]
  /** A line for the settings that change answers in transformers and are not followed here. */
  readonly unread: readonly string[]
}

/** Empty where the file does not exist. Throws `format.*`. */
export async function readGenerationConfig(files: RepoFiles): Promise<GenerationConfig> {
  const name = 'generation_config.json'
  if (!(await files.has(name))) return { ends: [], unread: [] }
  const place = `${files.name}/${name}`
  const config = parseJson(await files.text(name), place, { allowNaN: true })
  if (!isObject(config)) return { ends: [], unread: [] }
  const value = fieldOf(config, 'eos_token_id')
  const ends = (Array.isArray(value) ? value : [value]).filter((id) => typeof id === 'number')
  const acting = Object.entries(config).filter(([key, own]) => !Object.hasOwn(neutral, key) || own !== neutral[key])
  return { ends, unread: describeUnread({ place, fields: Object.fromEntries(acting) }, known) }
}

/** Values that change nothing. */
const neutral: Readonly<Record<string, unknown>> = {
  repetition_penalty: 1,
  encoder_repetition_penalty: 1,
  length_penalty: 1,
  diversity_penalty: 0,
  no_repeat_ngram_size: 0,
  encoder_no_repeat_ngram_size: 0,
  min_length: 0,
  num_beams: 1,
  num_beam_groups: 1,
  num_return_sequences: 1,
  typical_p: 1,
  epsilon_cutoff: 0,
  eta_cutoff: 0,
}

/** Read; given by each command or task; other ways of computing the same. */
const known = [
  'eos_token_id bos_token_id pad_token_id decoder_start_token_id',
  'do_sample temperature top_k top_p max_length max_new_tokens',
  '_from_model_config transformers_version use_cache cache_implementation cache_config prefill_chunk_size ' +
    'return_legacy_cache return_dict_in_generate output_attentions output_hidden_states output_scores output_logits ' +
    'disable_compile compile_config low_memory is_assistant num_assistant_tokens num_assistant_tokens_schedule ' +
    'assistant_confidence_threshold assistant_early_exit assistant_lookbehind target_lookbehind ' +
    'assistant_ensemble_weight max_matching_ngram_size prompt_lookup_num_tokens max_cache_len ' +
    'continuous_batching_config remove_invalid_values trust_remote_code chat_format max_window_size user_token_id ' +
    'assistant_token_id _commit_hash',
].flatMap((words) => words.split(' '))
