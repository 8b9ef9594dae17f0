/** Longformer (Beltagy et al. 2020) without global tokens: RoBERTa whose layers see a window. */
import type { ConfigReader } from '../config-reader.ts'
import type { Family, FamilySpec } from '../family.ts'
import { maskedHead, poolerHead } from '../heads.ts'
import { roberta } from './roberta.ts'

export const longformer = {
  ...roberta,
  title: 'Longformer',
  notes:
    'as RoBERTa, a window for each layer, no token attends globally; so the sequence classifier, whose first token does, is refused',
  modelTypes: ['longformer'],
  classes: ['Longformer'],
  spec: (config) => {
    const spec: FamilySpec = roberta.spec(config)
    const { width, norm } = spec
    const windows = readWindows(config, spec.layers)
    return {
      ...spec,
      causal: false,
      attention: { ...spec.attention, positions: { kind: 'none' } },
      block: (layer) => ({ window: (windows[layer] ?? 0) / 2 + 1 }),
      heads: {
        pooler: poolerHead(width),
        masked: maskedHead({ width, activation: 'gelu', norm, tied: config.flag('tie_word_embeddings', true) }),
      },
    }
  },
  prefixes: ['', 'longformer.'],
  depth: { lists: ['attention_window'] },
} as const satisfies Family

/** Tokens that a layer sees around one, half of them on each side; one number may stand for all layers. */
function readWindows(config: ConfigReader, layers: number): readonly number[] {
  const key = 'attention_window'
  const windows = config.isList(key)
    ? (config.numbers(key) ?? [])
    : Array.from({ length: layers }, () => config.int(key, 512))
  if (windows.length !== layers) throw config.refuse(key, `names ${windows.length} layers`, layers)
  if (windows.some((window) => window < 2 || window % 2 !== 0)) throw config.refuse(key, 'is not even and positive')
  return windows
}
