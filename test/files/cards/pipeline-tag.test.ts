import { expect, test } from 'vitest'
import { toPipelineTag } from '#files/cards'

test.each([
  [['LlamaForCausalLM'], 'text-generation'],
  [['GPT2LMHeadModel'], 'text-generation'],
  [['BertForMaskedLM'], 'fill-mask'],
  [['XLMRobertaForSequenceClassification'], 'text-classification'],
  [['BertModel'], 'feature-extraction'],
  [['T5ForConditionalGeneration'], undefined],
  [[], undefined],
  [undefined, undefined],
])('%j: %s', (architectures, tag) => {
  expect(toPipelineTag({ architectures })).toBe(tag)
})
