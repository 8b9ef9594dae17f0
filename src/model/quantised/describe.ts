/** A quantised checkpoint in a sentence. */
import type { Quantisation } from './quantisation.ts'

/** Notice: the method, and that activations are not quantised. */
export function describeQuantisation(quantisation: Quantisation): string {
  return `weights are quantised (${methodOf(quantisation)}); they are read as the numbers they stand for, and activations are not quantised`
}

function methodOf(quantisation: Quantisation): string {
  switch (quantisation.method) {
    case 'fp8':
    case 'fbgemm_fp8':
      return 'FP8'
    case 'gptq':
      return quantisation.bits === undefined ? 'GPTQ' : `GPTQ, ${quantisation.bits} bits`
    case 'awq':
      return 'AWQ, 4 bits'
    case 'bitsandbytes':
      return `bitsandbytes, ${quantisation.bits} bits`
    case 'compressed-tensors':
      return 'compressed-tensors'
    case 'mxfp4':
      return 'MXFP4'
    default:
      return quantisation satisfies never
  }
}
