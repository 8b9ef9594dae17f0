/** adapter_config.json of an extracted adapter, as PEFT reads it. */
import type { ExtractedTensors } from './extract-tensors.ts'
import type { ExtractionPlan } from './plan-extraction.ts'

export interface AdapterFacts {
  /** As PEFT shall find it: a name on the hub, or a folder. */
  readonly base: string
  readonly revision: string | undefined
  /** config.json of the fine-tuned model. */
  readonly config: Readonly<Record<string, unknown>>
}

/** `r` and `lora_alpha` are the largest rank, so that the scale is 1; modules of another rank stand in the patterns. */
export function adapterConfig(
  plan: ExtractionPlan,
  { modules, biases }: Pick<ExtractedTensors, 'modules' | 'biases'>,
  { base, revision, config }: AdapterFacts,
): Record<string, unknown> {
  const largest = Math.max(...modules.map(({ rank }) => rank))
  const other = Object.fromEntries(modules.flatMap(({ module, rank }) => (rank === largest ? [] : [[module, rank]])))
  return {
    base_model_name_or_path: base,
    ...(revision === undefined ? {} : { revision }),
    peft_type: 'LORA',
    task_type: taskType(config),
    r: largest,
    lora_alpha: largest,
    rank_pattern: other,
    alpha_pattern: other,
    lora_dropout: 0,
    use_rslora: false,
    fan_in_fan_out: plan.fanInFanOut,
    // Trained biases lie in the base layers: PEFT loads them there, whether every adapted layer has one or not.
    bias: biases ? 'all' : 'none',
    target_modules: targetModules(plan),
    modules_to_save: plan.modulesToSave,
    inference_mode: true,
  }
}

/** Last parts of names where those match the adapted modules and no others of the model; otherwise whole names. */
function targetModules({ factors, others }: ExtractionPlan): string[] {
  const last = (module: string): string => module.slice(module.lastIndexOf('.') + 1)
  const short = [...new Set(factors.map(({ module }) => last(module)))]
  const ambiguous = new Set(others.map(last))
  return short.some((name) => ambiguous.has(name)) ? factors.map(({ module }) => module) : short.sort()
}

/** Only language models have one: for classifiers PEFT would take the head as saved whole, whatever the config says. */
function taskType({ architectures }: Readonly<Record<string, unknown>>): string | null {
  const name = Array.isArray(architectures) ? String(architectures[0]) : ''
  if (name.endsWith('ForConditionalGeneration')) return 'SEQ_2_SEQ_LM'
  return /(ForCausalLM|LMHeadModel)$/.test(name) ? 'CAUSAL_LM' : null
}
