/** Arguments of lm-evaluation-harness's model that have no meaning here: what to do instead. */

const served = 'serve the model as it is, and ask it with --model local-completions --model_args base_url=…,model=…'
const float32 = `a checkpoint is run in float32, whatever memory that takes: leave it out; to measure a quantized model, ${served}`
const oneDevice = 'the model runs on the processor, with as many threads as --threads says: leave it out'

/** Argument → remedy. */
const remedies: Readonly<Record<string, string>> = {
  load_in_4bit: float32,
  load_in_8bit: float32,
  quantization_config: float32,
  autogptq: float32,
  gptqmodel: float32,
  torch_dtype: 'name the type as dtype=float32, or leave it out',
  mixed_precision_dtype: float32,
  softmax_dtype: float32,
  gguf_file: 'name the GGUF file itself: pretrained=FOLDER/FILE.gguf',
  peft: 'name both: pretrained=BASE+ADAPTER',
  delta: 'make the model first: strata merge with the method task_arithmetic',
  tokenizer: 'the tokenizer is the one of the checkpoint; strata transplant gives a model another one',
  subfolder: 'name the folder itself: pretrained=FOLDER/SUBFOLDER',
  parallelize: oneDevice,
  device_map: oneDevice,
  max_memory_per_gpu: oneDevice,
  max_cpu_memory: oneDevice,
  offload_folder: oneDevice,
  tp_plan: oneDevice,
  attn_implementation: 'attention is computed one way here: leave it out',
  use_cache: 'answers are kept with --use_cache FILE',
  use_fast_tokenizer: 'there is one tokenizer for each format: leave it out',
  truncation: 'long contexts lose their beginning, as with truncation=False: leave it out',
  logits_cache: 'what questions share is computed once: leave it out',
  batch_size: 'batches follow length and memory: leave it out',
  max_batch_size: 'batches follow length and memory: --batch-tokens limits them',
  low_cpu_mem_usage: 'weights are read as they are needed: leave it out',
  think_end_token: `thoughts are cut from the answers of servers alone: ${served},think_end_token=…`,
  enable_thinking: 'the chat template decides: name another with --apply_chat_template',
  chat_template_args: 'the chat template decides: name another with --apply_chat_template',
}

/** Values that change nothing, as words. */
const asDone: Readonly<Record<string, string>> = {
  load_in_4bit: 'false',
  load_in_8bit: 'false',
  autogptq: 'false',
  gptqmodel: 'false',
  parallelize: 'false',
  truncation: 'false',
  logits_cache: 'true',
  use_fast_tokenizer: 'true',
}

/** Whether a value of an argument of the reference changes nothing here. */
export function isAsDone(name: string, value: unknown): boolean {
  return Object.hasOwn(asDone, name) && String(value).toLowerCase() === asDone[name]
}

/** The remedy for an argument of the reference; undefined for other names. */
export function findRemedy(name: string): string | undefined {
  if (name.startsWith('bnb_')) return float32
  return Object.hasOwn(remedies, name) ? remedies[name] : undefined
}
