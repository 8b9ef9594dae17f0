/**
 * wasm: small WebAssembly modules, assembled from instructions by name.
 *
 * In: functions as lists of instructions. Out: an instance and its memory.
 * Never: a formula of any room.
 */
export {
  type Code,
  code,
  get,
  i32Add,
  i32Constant,
  i32HalfOf,
  instantiate,
  lanes,
  load,
  loadHalf,
  loop,
  set,
  simd,
  store,
  storeHalf,
  type ValueType,
  type WasmFunction,
  type WasmMemory,
  words,
} from './wasm.ts'
