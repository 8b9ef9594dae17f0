/**
 * Every family a mixture can be written as, in mergekit-moe's order: the first that can take a request is meant when
 * none is named, Mixtral before all.
 */
import { fault } from '#core'
import { type MoeRequest, type OutputFamily, plainConfig, sameType } from './output-family.ts'

const mixtralParts: Readonly<Record<string, string>> = { gate_proj: 'w1', down_proj: 'w2', up_proj: 'w3' }

const mixtral: OutputFamily = {
  name: 'Mixtral',
  reference: 'https://arxiv.org/abs/2401.04088',
  refusal({ shared, modelTypes }) {
    return shared > 0 ? 'it has no shared experts' : sameType(modelTypes, ['llama', 'mistral'])
  },
  config: (base, { experts, expertsPerToken }) => ({
    ...plainConfig(base),
    architectures: ['MixtralForCausalLM'],
    model_type: 'mixtral',
    num_local_experts: experts,
    num_experts_per_tok: expertsPerToken,
    sliding_window: null,
    output_router_logits: false,
  }),
  expert: (layer, index, part) => `${layer}.block_sparse_moe.experts.${index}.${mixtralParts[part] ?? part}.weight`,
  shared: (layer, part) => `${layer}.block_sparse_moe.shared.${part}.weight`,
  gate: (layer) => `${layer}.block_sparse_moe.gate.weight`,
  sharedGate: undefined,
  unfit: /\.bias$/,
  zeroBiases: [],
}

const inMlp: Pick<OutputFamily, 'expert' | 'gate'> = {
  expert: (layer, index, part) => `${layer}.mlp.experts.${index}.${part}.weight`,
  gate: (layer) => `${layer}.mlp.gate.weight`,
}

const deepseek: OutputFamily = {
  ...inMlp,
  name: 'DeepSeek MoE',
  reference: 'https://arxiv.org/abs/2401.06066',
  refusal({ shared, sharedPrompts, modelTypes }) {
    if (shared > 1) return 'it has at most one shared expert'
    return sharedPrompts
      ? 'it does not gate its shared expert: no prompts for that one'
      : sameType(modelTypes, ['llama', 'mistral'])
  },
  config(base, { experts, shared, expertsPerToken }) {
    const config = plainConfig(base)
    const code = (kind: string, name: string): string => `deepseek-ai/deepseek-moe-16b-base--${kind}_deepseek.${name}`
    return {
      ...config,
      architectures: ['DeepseekForCausalLM'],
      model_type: 'deepseek',
      n_routed_experts: experts,
      n_shared_experts: shared || null,
      num_experts_per_tok: expertsPerToken,
      first_k_dense_replace: 0,
      moe_layer_freq: 1,
      scoring_func: 'softmax',
      norm_topk_prob: true,
      moe_intermediate_size: config['intermediate_size'],
      auto_map: {
        AutoConfig: code('configuration', 'DeepseekConfig'),
        AutoModel: code('modeling', 'DeepseekModel'),
        AutoModelForCausalLM: code('modeling', 'DeepseekForCausalLM'),
      },
    }
  },
  shared: (layer, part) => `${layer}.mlp.shared_experts.${part}.weight`,
  sharedGate: undefined,
  unfit: /\.bias$/,
  zeroBiases: [],
}

const qwen2: OutputFamily = {
  ...inMlp,
  name: 'Qwen MoE',
  reference: 'https://arxiv.org/abs/2407.10671',
  refusal({ shared, sharedPrompts, randomGates, modelTypes }) {
    if (shared !== 1) return 'it has exactly one shared expert'
    return sharedPrompts || randomGates
      ? sameType(modelTypes, ['llama', 'mistral', 'qwen2'])
      : 'it gates its shared expert: that one needs positive_prompts'
  },
  config(base, { experts, expertsPerToken }) {
    const config = plainConfig(base)
    return {
      ...config,
      architectures: ['Qwen2MoeForCausalLM'],
      model_type: 'qwen2_moe',
      num_experts: experts,
      num_experts_per_tok: expertsPerToken,
      decoder_sparse_step: 1,
      mlp_only_layers: [],
      norm_topk_prob: true,
      qkv_bias: true,
      sliding_window: null,
      use_sliding_window: false,
      shared_expert_intermediate_size: config['intermediate_size'],
      moe_intermediate_size: config['intermediate_size'],
      output_router_logits: false,
    }
  },
  shared: (layer, part) => `${layer}.mlp.shared_expert.${part}.weight`,
  sharedGate: (layer) => `${layer}.mlp.shared_expert_gate.weight`,
  unfit: /\.o_proj\.bias$/,
  zeroBiases: ['self_attn.q_proj', 'self_attn.k_proj', 'self_attn.v_proj'],
}

const qwen3: OutputFamily = {
  ...inMlp,
  name: 'Qwen3 MoE',
  reference: 'https://arxiv.org/abs/2505.09388',
  refusal({ shared, modelTypes }) {
    return shared > 0 ? 'it has no shared experts' : sameType(modelTypes, ['qwen3'])
  },
  config(base, { experts, expertsPerToken }) {
    const config = plainConfig(base)
    return {
      ...config,
      architectures: ['Qwen3MoeForCausalLM'],
      model_type: 'qwen3_moe',
      num_experts: experts,
      num_experts_per_tok: expertsPerToken,
      decoder_sparse_step: 1,
      mlp_only_layers: [],
      norm_topk_prob: true,
      moe_intermediate_size: config['intermediate_size'],
      output_router_logits: false,
    }
  },
  shared: (layer, part) => `${layer}.mlp.shared_expert.${part}.weight`,
  sharedGate: undefined,
  unfit: /^$/,
  zeroBiases: [],
}

export const outputFamilies: readonly OutputFamily[] = [mixtral, deepseek, qwen2, qwen3]

/**
 * Throws `usage.value` for a name that is none, `config.unsupported` with every family's reason when none can take the
 * request.
 */
export function chooseFamily(request: MoeRequest, named: string | undefined, place: string): OutputFamily {
  const meant = outputFamilies.filter(({ name }) => name.toLowerCase().startsWith((named ?? '').toLowerCase()))
  if (meant.length === 0)
    throw fault('usage.value', {
      place,
      what: 'no such output architecture',
      seen: named,
      wanted: outputFamilies.map(({ name }) => name).join(', '),
    })
  const chosen = meant.find((family) => family.refusal(request) === undefined)
  if (chosen !== undefined) return chosen
  throw fault('config.unsupported', {
    place,
    what: 'no output architecture can take these models',
    seen: meant.map((family) => `${family.name}: ${family.refusal(request) ?? ''}`).join('; '),
  })
}
