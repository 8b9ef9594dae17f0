/**
 * quantised: checkpoints whose weights are stored as codes and scales, read as the numbers they stand for.
 *
 * In: a parsed config.json, a tensor source. Out: what the config says about the method, and a tensor source of plain
 * floats over the stored one.
 * Never: quantising, activations, reading a tensor before it is asked for.
 */
export { dequantised } from './dequantised.ts'
export { describeQuantisation } from './describe.ts'
export { plainConfig, type Quantisation, readQuantisation } from './quantisation.ts'
