/** Every way to make up rows. Flags, help and the contract suite derive from this list. */
import type { Approximation } from './approximation.ts'
import { commonInterpolation } from './approximations/common-interpolation.ts'
import { johnHewitt } from './approximations/john-hewitt.ts'
import { landmarkPca } from './approximations/landmark-pca.ts'
import { mean } from './approximations/mean.ts'
import { mpRope } from './approximations/mp-rope.ts'
import { omp } from './approximations/omp.ts'
import { randn } from './approximations/randn.ts'
import { stb } from './approximations/stb.ts'
import { subword } from './approximations/subword.ts'
import { zero } from './approximations/zero.ts'

export const approximations = {
  omp,
  common_interpolation: commonInterpolation,
  subword,
  mean,
  zero,
  randn,
  john_hewitt: johnHewitt,
  landmark_pca: landmarkPca,
  stb,
  mp_rope: mpRope,
} as const satisfies Record<string, Approximation>

export type ApproximationName = keyof typeof approximations
