/** Every family Strata opens. Model types, help, docs/support.md and the nearest-name hints derive from this list. */
import type { Family } from './family.ts'
import { albert } from './families/albert.ts'
import { biogpt } from './families/biogpt.ts'
import { bert } from './families/bert.ts'
import { bloom } from './families/bloom.ts'
import { codegen } from './families/codegen.ts'
import { ctrl } from './families/ctrl.ts'
import { debertaV2 } from './families/deberta-v2.ts'
import { distilbert } from './families/distilbert.ts'
import { electra } from './families/electra.ts'
import { emu3 } from './families/emu3.ts'
import { falcon } from './families/falcon.ts'
import { gemma } from './families/gemma.ts'
import { gemma2 } from './families/gemma2.ts'
import { gemma3 } from './families/gemma3.ts'
import { gptBigcode } from './families/gpt-bigcode.ts'
import { gptNeoxJapanese } from './families/gpt-neox-japanese.ts'
import { gptNeox } from './families/gpt-neox.ts'
import { gpt2 } from './families/gpt2.ts'
import { gptNeo } from './families/gpt-neo.ts'
import { gptj } from './families/gptj.ts'
import { granite } from './families/granite.ts'
import { llama } from './families/llama.ts'
import { mamba } from './families/mamba.ts'
import { mistral } from './families/mistral.ts'
import { mixtral } from './families/mixtral.ts'
import { mllama } from './families/mllama.ts'
import { modernbert } from './families/modernbert.ts'
import { mpt } from './families/mpt.ts'
import { mpnet } from './families/mpnet.ts'
import { mt5 } from './families/mt5.ts'
import { olmo2 } from './families/olmo2.ts'
import { openaiGpt } from './families/openai-gpt.ts'
import { opt } from './families/opt.ts'
import { phi } from './families/phi.ts'
import { phi3 } from './families/phi3.ts'
import { qwen2 } from './families/qwen2.ts'
import { qwen2Omni, qwen2Vl } from './families/qwen2-vl.ts'
import { qwen3 } from './families/qwen3.ts'
import { qwen3Vl } from './families/qwen3-vl.ts'
import { roberta } from './families/roberta.ts'
import { smollm3 } from './families/smollm3.ts'
import { stablelm } from './families/stablelm.ts'
import { starcoder2 } from './families/starcoder2.ts'
import { t5 } from './families/t5.ts'
import { xglm } from './families/xglm.ts'

export const families: readonly Family[] = [
  bert,
  roberta,
  distilbert,
  mpnet,
  albert,
  electra,
  modernbert,
  t5,
  mt5,
  gpt2,
  gptNeox,
  opt,
  llama,
  mistral,
  qwen2,
  qwen3,
  gemma,
  gemma2,
  gemma3,
  phi,
  phi3,
  olmo2,
  granite,
  stablelm,
  starcoder2,
  smollm3,
  gptj,
  gptNeo,
  bloom,
  falcon,
  mixtral,
  debertaV2,
  mamba,
  openaiGpt,
  ctrl,
  codegen,
  gptBigcode,
  mpt,
  xglm,
  biogpt,
  gptNeoxJapanese,
  qwen2Vl,
  qwen2Omni,
  qwen3Vl,
  emu3,
  mllama,
]
