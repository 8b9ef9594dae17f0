/** A kernel: arrays in a memory of their own, and functions in WebAssembly over them. */
import { code, type Code, type Local, local, unsigned } from './instructions.ts'

/** The parts used here of the global that every JavaScript host has. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object, imports?: object) => { readonly exports: unknown }
  readonly Memory: new (size: { initial: number; maximum: number }) => { readonly buffer: ArrayBuffer }
}

const arrays = {
  u8: Uint8Array,
  u16: Uint16Array,
  i32: Int32Array,
  u32: Uint32Array,
  f32: Float32Array,
  f64: Float64Array,
}
interface Arrays {
  readonly u8: Uint8Array
  readonly u16: Uint16Array
  readonly i32: Int32Array
  readonly u32: Uint32Array
  readonly f32: Float32Array
  readonly f64: Float64Array
}
const valueTypes = { i32: 0x7f, f64: 0x7c, v128: 0x7b } as const
type NumberType = 'i32' | 'f64'

/** Element type and length of each array, in the order in which they lie in memory. */
type Layout = Readonly<Record<string, readonly [type: keyof Arrays, length: number]>>

interface KernelFunction<P extends readonly NumberType[]> {
  readonly parameters: P
  readonly locals: readonly (keyof typeof valueTypes)[]
  readonly body: Code
}

type Callable<F> = {
  readonly [name in keyof F]: F[name] extends KernelFunction<infer P>
    ? (...numbers: { [k in keyof P]: number }) => void
    : never
}
type Kernel<L extends Layout, F> = { readonly [name in keyof L]: Arrays[L[name][0]] } & Callable<F>

/**
 * A function without a result. `body` is given its parameters, and what declares a local variable that is 0 at first.
 */
export function func<const P extends readonly NumberType[]>(
  parameters: P,
  body: (declare: (type?: keyof typeof valueTypes) => Local, parameters: { [k in keyof P]: Local }) => Code,
): KernelFunction<P> {
  const locals: (keyof typeof valueTypes)[] = []
  const declare = (type: keyof typeof valueTypes = 'v128'): Local => local.at(parameters.length + locals.push(type) - 1)
  const given = parameters.map((_, index) => local.at(index)) as { [k in keyof P]: Local }
  const written = body(declare, given)
  return { parameters, locals, body: written }
}

/**
 * The arrays of `layout` as views by their names, and the functions by theirs. `functions` is given the byte at which
 * each array begins, a multiple of 16. The returned function makes the kernel when it is first called, one per thread.
 */
export function kernel<
  const L extends Layout,
  F extends Readonly<Record<string, KernelFunction<readonly NumberType[]>>>,
>(layout: L, functions: (places: { readonly [name in keyof L]: number }) => F): () => Kernel<L, F> {
  let made: Kernel<L, F> | undefined
  return () => (made ??= instantiate(layout, functions))
}

/** Functions over a memory that belongs to one caller until it is released. */
export type Lent<F> = { readonly memory: ArrayBuffer; readonly release: () => void } & Callable<F>

/** Memories of each kernel that wait for their next use. */
const mostWaiting = 4

/**
 * The functions over a memory of at least N bytes, all 0, for arrays whose sizes are known late. Released memories are
 * lent again, because each one takes gigabytes of addresses from the process, which many systems limit. Compiled once
 * per thread. Throws a RangeError above 4 GiB, or when the memory is not to be had.
 */
export function sizedKernel<F extends Readonly<Record<string, KernelFunction<readonly NumberType[]>>>>(
  functions: () => F,
): (bytes: number) => Lent<F> {
  let module: object | undefined
  const waiting: Lent<F>[] = []
  const make = (pages: number): Lent<F> => {
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages })
    module ??= new WebAssembly.Module(assembled(functions(), undefined))
    const { exports } = new WebAssembly.Instance(module, { outside: { memory } })
    const made: Lent<F> = {
      ...(exports as Callable<F>),
      memory: memory.buffer,
      release() {
        waiting.push(made)
        if (waiting.length > mostWaiting) waiting.shift()
      },
    }
    return made
  }
  return (bytes) => {
    const at = waiting.findIndex(({ memory }) => memory.byteLength >= bytes)
    const [again] = at < 0 ? [] : waiting.splice(at, 1)
    if (again === undefined) return make(Math.ceil(bytes / page))
    new Uint8Array(again.memory, 0, bytes).fill(0)
    return again
  }
}

const [alignment, page] = [16, 2 ** 16]

function instantiate<L extends Layout, F extends Readonly<Record<string, KernelFunction<readonly NumberType[]>>>>(
  layout: L,
  functions: (places: { readonly [name in keyof L]: number }) => F,
): Kernel<L, F> {
  let end = 0
  const places: Record<string, number> = {}
  for (const [name, [type, length]] of Object.entries(layout)) {
    places[name] = end
    end += Math.ceil((length * arrays[type].BYTES_PER_ELEMENT) / alignment) * alignment
  }
  const bytes = assembled(functions(places as { readonly [name in keyof L]: number }), Math.ceil(end / page))
  const { memory, ...run } = new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports as {
    readonly memory: { readonly buffer: ArrayBuffer }
  }
  const views = Object.entries(layout).map(([name, [type, length]]) => [
    name,
    new arrays[type](memory.buffer, places[name], length),
  ])
  return { ...Object.fromEntries(views), ...run } as Kernel<L, F>
}

const vector = (entries: readonly Code[]): Code => [...unsigned(entries.length), ...entries.flat()]
const sized = (bytes: Code): Code => [...unsigned(bytes.length), ...bytes]
const section = (id: number, ...entries: readonly Code[]): Code => [id, ...sized(vector(entries))]
const text = (value: string): Code => sized([...Buffer.from(value)])

/**
 * A module with a memory of N pages of 64 KiB, or with one given from outside.
 * https://webassembly.github.io/spec/core/binary/modules.html
 */
function assembled(
  functions: Readonly<Record<string, KernelFunction<readonly NumberType[]>>>,
  pages: number | undefined,
): Uint8Array {
  const all = Object.values(functions)
  const bytes = code(
    [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    section(1, ...all.map(({ parameters }) => [0x60, ...vector(parameters.map((type) => [valueTypes[type]])), 0])),
    ...(pages === undefined ? [section(2, [...text('outside'), ...text('memory'), 2, 0, 0])] : []),
    section(3, ...all.map((_, k) => unsigned(k))),
    ...(pages === undefined ? [] : [section(5, [0, ...unsigned(pages)])]),
    section(
      7,
      [...text('memory'), 2, 0],
      ...Object.keys(functions).map((name, k) => [...text(name), 0, ...unsigned(k)]),
    ),
    section(
      10,
      ...all.map(({ locals, body }) => sized([...vector(locals.map((type) => [1, valueTypes[type]])), ...body, 0x0b])),
    ),
  )
  return Uint8Array.from(bytes)
}
