/** Falcon Mamba (Zuo et al. 2024): Mamba with RMS norms on step sizes, inputs and outputs of the state. */
import type { Family } from '../family.ts'
import { readExpanded } from '../state-space.ts'
import { mamba, readMamba, readSelective } from './mamba.ts'

export const falconMamba = {
  ...mamba,
  title: 'Falcon Mamba',
  notes: 'Mamba with RMS norms without weights on step sizes, on inputs and outputs of the state',
  modelTypes: ['falcon_mamba'],
  classes: ['FalconMamba'],
  spec: (config) =>
    readMamba(config, (width) => ({
      ...readSelective(config, width),
      // `intermediate_size` of a config is written over
      width: readExpanded(config, 'expand', width),
      norm: { kind: 'rms', epsilon: config.epsilon('mixer_rms_eps', 1e-6), weight: 'none', bias: false },
    })),
} as const satisfies Family
