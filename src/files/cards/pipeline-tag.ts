/** The hub's task of a checkpoint, by the class that its config names. */

/** Ends of the class names of transformers → pipeline tags of the hub (huggingface.js, `pipelines.ts`). */
const tags: readonly (readonly [string, string])[] = [
  ['ForCausalLM', 'text-generation'],
  ['LMHeadModel', 'text-generation'],
  ['ForMaskedLM', 'fill-mask'],
  ['ForSequenceClassification', 'text-classification'],
  ['ForTokenClassification', 'token-classification'],
  ['ForQuestionAnswering', 'question-answering'],
  ['EncoderModel', 'feature-extraction'],
  ['Model', 'feature-extraction'],
]

/** Undefined for a config without a class, and for classes that no tag describes. */
export function toPipelineTag({ architectures }: Readonly<Record<string, unknown>>): string | undefined {
  const [name] = Array.isArray(architectures) ? (architectures as unknown[]) : []
  return typeof name === 'string' ? tags.find(([end]) => name.endsWith(end))?.[1] : undefined
}
