/** A few words of WebAssembly, for loops that need its vectors: code is put together as bytes, by the names of the instructions. */

/** What is used of the global that every JavaScript host has. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object) => { readonly exports: unknown }
}

export type Code = readonly number[]
const valueTypes = { i32: 0x7f, f64: 0x7c, v128: 0x7b } as const
export type ValueType = keyof typeof valueTypes

export interface WasmFunction {
  readonly name: string
  readonly parameters: readonly ValueType[]
  readonly locals: readonly ValueType[]
  readonly body: Code
}

/** LEB128. */
function unsigned(value: number): number[] {
  const bytes: number[] = []
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 128) return [...bytes, rest]
    bytes.push((rest & 127) | 128)
  }
}

function signed(value: number): number[] {
  const bytes: number[] = []
  for (let rest = value | 0; ; rest >>= 7) {
    if (rest >= -64 && rest < 64) return [...bytes, rest & 127]
    bytes.push((rest & 127) | 128)
  }
}

export const code = (...parts: readonly Code[]): number[] => parts.flat()
export const get = (local: number): Code => [0x20, local]
export const set = (local: number): Code => [0x21, local]
export const i32Constant = (value: number): Code => [0x41, ...signed(value)]
export const i32Add: Code = [0x6a]
export const i32HalfOf: Code = [0x41, 1, 0x76]
export const simd = (opcode: number): Code => [0xfd, ...unsigned(opcode)]
/** Four 32-bit words. */
export const words = (...values: readonly number[]): Code => code(simd(0x0c), ...values.map((value) => [0, 8, 16, 24].map((shift) => (value >>> shift) & 255)))
/** Four 32-bit lanes out of the eight of two vectors. */
export const lanes = (...order: readonly number[]): Code => code(simd(0x0d), ...order.map((lane) => [0, 1, 2, 3].map((byte) => 4 * lane + byte)))
const at = (offset: number): Code => [0, ...unsigned(offset)]
export const load = (offset = 0): Code => code(simd(0x00), at(offset))
export const loadHalf = (offset = 0): Code => code(simd(0x5d), at(offset))
export const store = (offset = 0): Code => code(simd(0x0b), at(offset))
export const storeHalf = (offset = 0): Code => code(simd(0x5b), at(offset), [0])

/** `body` again and again while `counter`, raised by `step`, is below `end`. Runs once at least. */
export function loop(counter: number, step: number, end: number, body: Code): Code {
  return code([0x03, 0x40], body, get(counter), i32Constant(step), i32Add, [0x22, counter], get(end), [0x49, 0x0d, 0, 0x0b])
}

const sized = (bytes: Code): Code => [...unsigned(bytes.length), ...bytes]
const section = (id: number, entries: readonly Code[]): Code => [id, ...sized([...unsigned(entries.length), ...entries.flat()])]
const text = (value: string): Code => sized([...Buffer.from(value)])

/** The memory of what was instantiated. */
export interface WasmMemory {
  readonly memory: { readonly buffer: ArrayBuffer }
}

/** Functions over a memory of so many 64 KiB pages: an object with `memory` and each function under its name, of the type that the caller knows. */
export function instantiate(functions: readonly WasmFunction[], pages: number): unknown {
  const types = functions.map(({ parameters }) => [0x60, ...sizedTypes(parameters), 0])
  const bodies = functions.map(({ locals, body }) => sized([...unsigned(locals.length), ...locals.flatMap((type) => [1, valueTypes[type]]), ...body, 0x0b]))
  const bytes = [
    [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    section(1, types),
    section(
      3,
      functions.map((_, i) => unsigned(i)),
    ),
    section(5, [[0, ...unsigned(pages)]]),
    section(7, [[...text('memory'), 2, 0], ...functions.map(({ name }, i) => [...text(name), 0, ...unsigned(i)])]),
    section(10, bodies),
  ]
  return new WebAssembly.Instance(new WebAssembly.Module(Uint8Array.from(bytes.flat()))).exports
}

function sizedTypes(types: readonly ValueType[]): Code {
  return [...unsigned(types.length), ...types.map((type) => valueTypes[type])]
}
