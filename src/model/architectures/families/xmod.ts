/** X-MOD (Pfeiffer et al. 2022): XLM-RoBERTa with a bottleneck per language behind every MLP. */
import type { Family } from '../family.ts'
import { roberta, robertaSpec } from './roberta.ts'

export const xmod = {
  title: 'X-MOD',
  notes: 'as XLM-RoBERTa with the adapter of default_language, which the config must name; norms after or before',
  modelTypes: ['xmod'],
  classes: ['Xmod'],
  spec: (config) => {
    const spec = robertaSpec(config)
    const languages = config.list('languages') ?? ['en_XX']
    const language = config.text('default_language')
    if (language === undefined || !languages.includes(language))
      throw config.refuse('default_language', 'names no adapter', languages.join(', '))
    const adapter = `encoder.layer.{i}.output.adapter_modules.${language}`
    const reused = config.flag('adapter_reuse_layer_norm', true) ? 'second' : 'none'
    const before = config.flag('pre_norm', false)
    return {
      ...spec,
      placement: before ? 'before' : 'after-add',
      final: { norm: before },
      adapter: {
        width: Math.floor(spec.width / config.number('adapter_reduction_factor', 2, { min: 1e-3, max: 1e3 })),
        activation: spec.mlp.activation,
        norm: config.flag('adapter_layer_norm', false) ? 'own' : reused,
        residual: config.flag('ln_before_adapter', true) ? 'normed' : 'raw',
      },
      tensors: { 'block.adapter.in': `${adapter}.dense1.*`, 'block.adapter.out': `${adapter}.dense2.*` },
    }
  },
  prefixes: roberta.prefixes,
  tensors: {
    ...roberta.tensors,
    'block.adapter.norm': 'encoder.layer.{i}.output.adapter_layer_norm.*',
    'final.norm': 'encoder.LayerNorm.*',
  },
} as const satisfies Family
