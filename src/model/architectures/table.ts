/** Every family Strata opens. Model types, help, docs/support.md and the nearest-name hints derive from this list. */
import type { Family } from './family.ts'
import { afmoe } from './families/afmoe.ts'
import { albert } from './families/albert.ts'
import { apertus } from './families/apertus.ts'
import { arcee } from './families/arcee.ts'
import { aria } from './families/aria.ts'
import { bamba } from './families/bamba.ts'
import { bartDecoders, bartEncoders } from './families/bart.ts'
import { bert } from './families/bert.ts'
import { bertGeneration } from './families/bert-generation.ts'
import { bigBird } from './families/big-bird.ts'
import { bigBirdPegasus } from './families/big-bird-pegasus.ts'
import { biogpt } from './families/biogpt.ts'
import { bitnet } from './families/bitnet.ts'
import { bloom } from './families/bloom.ts'
import { canine } from './families/canine.ts'
import { codegen } from './families/codegen.ts'
import { cohere } from './families/cohere.ts'
import { cohere2 } from './families/cohere2.ts'
import { cohere2Moe } from './families/cohere2-moe.ts'
import { cohereCompass } from './families/cohere-compass.ts'
import { convbert } from './families/convbert.ts'
import { ctrl } from './families/ctrl.ts'
import { cwm } from './families/cwm.ts'
import { dbrx } from './families/dbrx.ts'
import { deberta } from './families/deberta.ts'
import { debertaV2 } from './families/deberta-v2.ts'
import { axk1, glm4MoeLite, sarvamMla } from './families/deepseek-kin.ts'
import { deepseekV2 } from './families/deepseek-v2.ts'
import { deepseekV3 } from './families/deepseek-v3.ts'
import { deepseekV32, glmMoeDsa } from './families/deepseek-v32.ts'
import { diffllama } from './families/diffllama.ts'
import { distilbert } from './families/distilbert.ts'
import { doge } from './families/doge.ts'
import { dots1, exaoneMoe, hyV3 } from './families/dots1.ts'
import { electra } from './families/electra.ts'
import { emu3 } from './families/emu3.ts'
import { ernie } from './families/ernie.ts'
import { ernie45 } from './families/ernie4-5.ts'
import { ernie45Moe } from './families/ernie4-5-moe.ts'
import { esm } from './families/esm.ts'
import { esmc } from './families/esmc.ts'
import { eurobert } from './families/eurobert.ts'
import { exaone } from './families/exaone.ts'
import { exaone4 } from './families/exaone4.ts'
import { falcon } from './families/falcon.ts'
import { falconH1 } from './families/falcon-h1.ts'
import { falconMamba } from './families/falcon-mamba.ts'
import { flexOlmo } from './families/flex-olmo.ts'
import { flint } from './families/flint.ts'
import { fnet } from './families/fnet.ts'
import { funnel, funnelBase } from './families/funnel.ts'
import { gemma } from './families/gemma.ts'
import { gemma2 } from './families/gemma2.ts'
import { gemma3 } from './families/gemma3.ts'
import { gemma3n } from './families/gemma3n.ts'
import { gemma4 } from './families/gemma4.ts'
import { gemma4Unified } from './families/gemma4-unified.ts'
import { git } from './families/git.ts'
import { glm } from './families/glm.ts'
import { glm4 } from './families/glm4.ts'
import { glm4Moe, sarvamMoe, solarOpen } from './families/glm4-moe.ts'
import { gptBigcode } from './families/gpt-bigcode.ts'
import { gptNeo } from './families/gpt-neo.ts'
import { gptNeox } from './families/gpt-neox.ts'
import { gptNeoxJapanese } from './families/gpt-neox-japanese.ts'
import { gptOss } from './families/gpt-oss.ts'
import { gpt2 } from './families/gpt2.ts'
import { gptj } from './families/gptj.ts'
import { granite } from './families/granite.ts'
import { graniteSwa } from './families/granite-swa.ts'
import { granitemoe } from './families/granitemoe.ts'
import { granitemoeHybrid } from './families/granitemoe-hybrid.ts'
import { granitemoeSwa } from './families/granitemoe-swa.ts'
import { gte, newGte } from './families/gte.ts'
import { helium } from './families/helium.ts'
import { hunyuanV1Dense } from './families/hunyuan-v1-dense.ts'
import { hunyuanV1Moe } from './families/hunyuan-v1-moe.ts'
import { hyperclovax } from './families/hyperclovax.ts'
import { internlm3 } from './families/internlm3.ts'
import { iquestcoder } from './families/iquestcoder.ts'
import { jais2 } from './families/jais2.ts'
import { jamba } from './families/jamba.ts'
import { jetmoe } from './families/jetmoe.ts'
import { jinaBert, jinaCodeBert } from './families/jina-bert.ts'
import { jinaEmbeddingsV3, xlmRobertaFlash } from './families/jina-embeddings-v3.ts'
import { kimiLinear } from './families/kimi-linear.ts'
import { kolibri1 } from './families/kolibri1.ts'
import { laguna } from './families/laguna.ts'
import { laraMini } from './families/lara-mini.ts'
import { layoutlm } from './families/layoutlm.ts'
import { layoutlmv3 } from './families/layoutlmv3.ts'
import { lilt } from './families/lilt.ts'
import { lfm2 } from './families/lfm2.ts'
import { lfm2Moe } from './families/lfm2-moe.ts'
import { lfm3 } from './families/lfm3.ts'
import { llama, llamaBidirectional } from './families/llama.ts'
import { llama4 } from './families/llama4.ts'
import { longcatFlash } from './families/longcat-flash.ts'
import { longformer } from './families/longformer.ts'
import { mamba } from './families/mamba.ts'
import { mamba2 } from './families/mamba2.ts'
import { markuplm } from './families/markuplm.ts'
import { megatronBert } from './families/megatron-bert.ts'
import { mellum } from './families/mellum.ts'
import { mimoV2Flash } from './families/mimo-v2-flash.ts'
import { minicpm3 } from './families/minicpm3.ts'
import { minimax } from './families/minimax.ts'
import { minimaxM2 } from './families/minimax-m2.ts'
import { ministral } from './families/ministral.ts'
import { ministral3 } from './families/ministral3.ts'
import { mistral } from './families/mistral.ts'
import { mistral4 } from './families/mistral4.ts'
import { mixtral } from './families/mixtral.ts'
import { mllama } from './families/mllama.ts'
import { mobilebert } from './families/mobilebert.ts'
import { modernbert } from './families/modernbert.ts'
import { modernbertDecoder } from './families/modernbert-decoder.ts'
import { moshi } from './families/moshi.ts'
import { mpnet } from './families/mpnet.ts'
import { mpt } from './families/mpt.ts'
import { mt5 } from './families/mt5.ts'
import { nanochat } from './families/nanochat.ts'
import { nemotron } from './families/nemotron.ts'
import { nemotronH } from './families/nemotron-h.ts'
import { nomicBert } from './families/nomic-bert.ts'
import { nystromformer } from './families/nystromformer.ts'
import { olmo } from './families/olmo.ts'
import { olmoHybrid } from './families/olmo-hybrid.ts'
import { olmo2 } from './families/olmo2.ts'
import { olmo3 } from './families/olmo3.ts'
import { olmoe } from './families/olmoe.ts'
import { openaiGpt } from './families/openai-gpt.ts'
import { opt } from './families/opt.ts'
import { persimmon } from './families/persimmon.ts'
import { phi } from './families/phi.ts'
import { phi3, phi4Multimodal } from './families/phi3.ts'
import { phimoe } from './families/phimoe.ts'
import { prophetnet } from './families/prophetnet.ts'
import { qwen2 } from './families/qwen2.ts'
import { qwen2Moe } from './families/qwen2-moe.ts'
import { qwen2Omni, qwen2Vl } from './families/qwen2-vl.ts'
import { qwen3 } from './families/qwen3.ts'
import { qwen35, qwen35Moe } from './families/qwen3-5.ts'
import { qwen3Moe } from './families/qwen3-moe.ts'
import { qwen3Next } from './families/qwen3-next.ts'
import { qwen3Vl } from './families/qwen3-vl.ts'
import { recurrentGemma } from './families/recurrent-gemma.ts'
import { rembert } from './families/rembert.ts'
import { roberta } from './families/roberta.ts'
import { data2vecText, ibert, luke } from './families/roberta-likes.ts'
import { robertaPrelayernorm } from './families/roberta-prelayernorm.ts'
import { rocBert } from './families/roc-bert.ts'
import { roformer } from './families/roformer.ts'
import { rwkv } from './families/rwkv.ts'
import { seedOss } from './families/seed-oss.ts'
import { smollm3 } from './families/smollm3.ts'
import { squeezebert } from './families/squeezebert.ts'
import { stablelm } from './families/stablelm.ts'
import { starcoder2 } from './families/starcoder2.ts'
import { t5 } from './families/t5.ts'
import { t5gemma, t5gemma2 } from './families/t5gemma.ts'
import { tapas } from './families/tapas.ts'
import { trocr } from './families/trocr.ts'
import { ultrabert } from './families/ultrabert.ts'
import { umt5 } from './families/umt5.ts'
import { vaultgemma } from './families/vaultgemma.ts'
import { xglm } from './families/xglm.ts'
import { flaubert, xlm } from './families/xlm.ts'
import { xlmRobertaXl } from './families/xlm-roberta-xl.ts'
import { xlnet } from './families/xlnet.ts'
import { xlstm } from './families/xlstm.ts'
import { xmod } from './families/xmod.ts'
import { youtu } from './families/youtu.ts'
import { zamba } from './families/zamba.ts'
import { zamba2 } from './families/zamba2.ts'
import { zaya } from './families/zaya.ts'

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
  umt5,
  t5gemma,
  t5gemma2,
  bigBirdPegasus,
  prophetnet,
  deberta,
  convbert,
  roformer,
  bigBird,
  squeezebert,
  mobilebert,
  longformer,
  nystromformer,
  fnet,
  xlm,
  flaubert,
  xlnet,
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
  qwen2Moe,
  qwen3Moe,
  olmoe,
  deepseekV32,
  glmMoeDsa,
  youtu,
  mellum,
  hunyuanV1Moe,
  mistral4,
  cohere2Moe,
  llama4,
  gptOss,
  mimoV2Flash,
  granitemoe,
  granitemoeSwa,
  phimoe,
  deepseekV2,
  deepseekV3,
  glm4Moe,
  sarvamMoe,
  solarOpen,
  axk1,
  glm4MoeLite,
  sarvamMla,
  dbrx,
  flexOlmo,
  ernie45Moe,
  minimaxM2,
  dots1,
  exaoneMoe,
  hyV3,
  afmoe,
  laguna,
  debertaV2,
  mamba,
  bertGeneration,
  megatronBert,
  ernie,
  rembert,
  xlmRobertaXl,
  robertaPrelayernorm,
  data2vecText,
  ibert,
  luke,
  rocBert,
  xmod,
  layoutlm,
  layoutlmv3,
  markuplm,
  lilt,
  canine,
  funnel,
  funnelBase,
  tapas,
  esm,
  esmc,
  nomicBert,
  gte,
  newGte,
  jinaEmbeddingsV3,
  xlmRobertaFlash,
  jinaBert,
  jinaCodeBert,
  eurobert,
  ultrabert,
  modernbertDecoder,
  llamaBidirectional,
  olmo,
  olmo3,
  cohere,
  cohere2,
  glm,
  glm4,
  exaone,
  exaone4,
  ernie45,
  hunyuanV1Dense,
  ministral,
  ministral3,
  nemotron,
  seedOss,
  arcee,
  jais2,
  apertus,
  helium,
  internlm3,
  persimmon,
  bitnet,
  cwm,
  graniteSwa,
  hyperclovax,
  iquestcoder,
  nanochat,
  vaultgemma,
  diffllama,
  doge,
  mamba2,
  falconMamba,
  bamba,
  falconH1,
  lfm2,
  recurrentGemma,
  qwen35,
  olmoHybrid,
  rwkv,
  qwen3Next,
  qwen35Moe,
  jamba,
  nemotronH,
  granitemoeHybrid,
  lfm2Moe,
  zamba2,
  zamba,
  minimax,
  kimiLinear,
  longcatFlash,
  jetmoe,
  xlstm,
  zaya,
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
  gemma3n,
  gemma4,
  gemma4Unified,
  minicpm3,
  aria,
  cohereCompass,
  flint,
  git,
  kolibri1,
  laraMini,
  lfm3,
  moshi,
  phi4Multimodal,
  trocr,
  ...bartEncoders,
  ...bartDecoders,
]
