/** Mamba-2 (Dao & Gu 2024): blocks of one mixer each, with a decay per head and grouped keys and queries. */
import type { Family } from '../family.ts'
import { readDuality, readExpanded, type DualityKeys } from '../state-space.ts'
import { mamba, readMamba } from './mamba.ts'

export const mamba2 = {
  ...mamba,
  title: 'Mamba-2',
  notes:
    'a decay per head, keys and queries by groups of heads, gated RMS norm over groups, step sizes clipped to time_step_limit; chunks compute the plain recurrence; hidden_states as Mamba',
  modelTypes: ['mamba2'],
  classes: ['Mamba2'],
  spec: (config) =>
    readMamba(
      config,
      (width, norm) => readDuality(config, mamba2Keys, { inner: readExpanded(config, 'expand', width), norm }),
      { padId: 1, tied: false },
    ),
  tensors: {
    'embed.token': mamba.tensors['embed.token'],
    'block.norm1': mamba.tensors['block.norm1'],
    'block.scan.in': mamba.tensors['block.scan.in'],
    'block.scan.convolution': mamba.tensors['block.scan.convolution'],
    'block.scan.step': 'layers.{i}.mixer.dt_bias',
    'block.scan.decay': mamba.tensors['block.scan.decay'],
    'block.scan.skip': mamba.tensors['block.scan.skip'],
    'block.scan.norm': 'layers.{i}.mixer.norm.*',
    'block.scan.out': mamba.tensors['block.scan.out'],
    'final.norm': mamba.tensors['final.norm'],
    'head.causal': mamba.tensors['head.causal'],
  },
} as const satisfies Family

const mamba2Keys = {
  heads: 'num_heads',
  headWidth: 'head_dim',
  groups: 'n_groups',
  states: 'state_size',
  kernel: 'conv_kernel',
  kernelBias: 'use_conv_bias',
  bias: 'use_bias',
  usual: { heads: 128, headWidth: 64, groups: 8, states: 128 },
} as const satisfies DualityKeys
