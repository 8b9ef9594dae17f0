/**
 * wasm: small WebAssembly modules, assembled from instructions by name.
 *
 * In: the layout of a memory, functions in instructions. Out: kernels – typed arrays and functions over them.
 * Never: a formula of any room.
 */
export {
  type Code,
  code,
  doWhile,
  f32x4,
  f64x2,
  i16x8,
  i32,
  i32x4,
  i64x2,
  i8x16,
  local,
  type Local,
  loop,
  v128,
  when,
} from './instructions.ts'
export { func, kernel, sizedKernel } from './kernel.ts'
