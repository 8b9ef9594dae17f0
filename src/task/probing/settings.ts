/** How a probe is trained, and the controls on its data that separate its score from the score any probe would get. */
import { fault } from '#core'

/**
 * `corrected`: cross-entropy of logits, inputs standardised on the training rows, real offsets. `holmes`: as Holmes's
 * published numbers were made – the softmax taken twice, inputs as they are, sentence vectors kept in float16, the
 * second text of a pair seven characters on.
 */
export const probeProfiles = ['corrected', 'holmes'] as const
export type ProbeProfile = (typeof probeProfiles)[number]

/**
 * `permutation`: words in another order; `randomization`: labels in another order; `random-weights`: a model that was
 * never trained.
 */
export const probeControls = ['none', 'permutation', 'randomization', 'random-weights'] as const
export type ProbeControl = (typeof probeControls)[number]

export const probeKinds = ['linear', 'mlp'] as const
export type ProbeKind = (typeof probeKinds)[number]

export interface ProbeSettings {
  readonly profile: ProbeProfile
  readonly probe: ProbeKind
  /** A description length along with the score. */
  readonly mdl: boolean
  /** Share of the training rows that is used. */
  readonly portion: number
}

/** Width of a hidden layer, Holmes's. */
export const hiddenWidth = 1000

/** `1/32`, `0.5` or `1`. Throws `usage.value`. */
export function portionNamed(text: string): number {
  const [, above = '', below = '1'] = /^(\d+(?:\.\d+)?)(?:\/(\d+))?$/.exec(text.trim()) ?? []
  const portion = Number(above) / Number(below)
  if (above === '' || !(portion > 0 && portion <= 1))
    throw fault('usage.value', {
      place: '--train-portion',
      what: 'not a share',
      seen: text,
      wanted: '1/32, or a number above 0 and up to 1',
    })
  return portion
}
