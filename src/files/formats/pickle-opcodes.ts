/**
 * The opcodes of protocols 2 to 5 that plain values and tensors need (Python's pickletools lists them all). All others
 * are refused: EXT, OBJ, out-of-band buffers …
 */
import { MAX_PICKLE_INTEGER, MAX_PICKLE_TEXT } from './limits.ts'
import { kindOf, ofKind, textOf, type Pickled } from './pickle-values.ts'
import { setArrayState, setDtypeState } from './numpy-globals.ts'
import type { Machine } from './pickle-machine.ts'

type Opcode = (machine: Machine) => void | Promise<void>

export const opcodes: ReadonlyMap<number, Opcode> = new Map<number, Opcode>([
  // frame of the stream
  [0x80, protocol],
  [0x95, ({ input }) => void input.u64()], // FRAME: only a hint for buffering
  // plain values
  [0x4e, ({ push }) => push(null)], // NONE
  [0x88, ({ push }) => push(true)], // NEWTRUE
  [0x89, ({ push }) => push(false)], // NEWFALSE
  [0x4a, ({ input, push }) => push(input.i32())], // BININT
  [0x4b, ({ input, push }) => push(input.u8())], // BININT1
  [0x4d, ({ input, push }) => push(input.u16())], // BININT2
  [0x8a, (machine) => longInteger(machine, machine.input.u8())], // LONG1
  [0x8b, (machine) => longInteger(machine, machine.input.u32())], // LONG4
  [0x49, lineInteger], // INT: 64-bit integers of Python 2
  [0x4c, lineInteger], // LONG
  [0x47, ({ input, push }) => push({ kind: 'float', value: input.f64() })], // BINFLOAT
  [0x58, (machine) => text(machine, machine.input.u32())], // BINUNICODE
  [0x8c, (machine) => text(machine, machine.input.u8())], // SHORT_BINUNICODE
  [0x8d, (machine) => text(machine, machine.input.u64())], // BINUNICODE8
  [0x54, (machine) => byteString(machine, machine.input.u32())], // BINSTRING
  [0x55, (machine) => byteString(machine, machine.input.u8())], // SHORT_BINSTRING
  [0x42, (machine) => bytes(machine, machine.input.u32())], // BINBYTES
  [0x43, (machine) => bytes(machine, machine.input.u8())], // SHORT_BINBYTES
  [0x8e, (machine) => bytes(machine, machine.input.u64())], // BINBYTES8
  [0x96, (machine) => bytes(machine, machine.input.u64())], // BYTEARRAY8
  // collections
  [0x5d, ({ push }) => push({ kind: 'list', items: [] })], // EMPTY_LIST
  [0x29, ({ push }) => push({ kind: 'tuple', items: [] })], // EMPTY_TUPLE
  [0x7d, ({ push }) => push({ kind: 'dict', entries: new Map() })], // EMPTY_DICT
  [0x8f, ({ push }) => push({ kind: 'opaque' })], // EMPTY_SET
  [0x28, ({ mark }) => mark()], // MARK
  [0x74, ({ push, popMark }) => push({ kind: 'tuple', items: popMark() })], // TUPLE
  [0x85, (machine) => tuple(machine, 1)], // TUPLE1
  [0x86, (machine) => tuple(machine, 2)], // TUPLE2
  [0x87, (machine) => tuple(machine, 3)], // TUPLE3
  [0x6c, ({ push, popMark }) => push({ kind: 'list', items: popMark() })], // LIST
  [0x64, (machine) => machine.push({ kind: 'dict', entries: new Map(pairs(machine, machine.popMark())) })], // DICT
  [0x91, ({ push, popMark }) => (popMark(), push({ kind: 'opaque' }))], // FROZENSET
  [0x90, ({ popMark, top }) => (popMark(), void top())], // ADDITEMS
  [0x61, (machine) => append(machine, [machine.pop()])], // APPEND
  [0x65, (machine) => append(machine, machine.popMark())], // APPENDS
  [0x73, (machine) => setItem(machine)], // SETITEM
  [0x75, (machine) => setItems(machine, machine.popMark())], // SETITEMS
  // the stack and the memo
  [0x30, ({ pop }) => void pop()], // POP
  [0x31, ({ popMark }) => void popMark()], // POP_MARK
  [0x32, ({ push, top }) => push(top())], // DUP
  [0x71, (machine) => store(machine, machine.input.u8())], // BINPUT
  [0x72, (machine) => store(machine, machine.input.u32())], // LONG_BINPUT
  [0x94, (machine) => store(machine, machine.memo.size)], // MEMOIZE
  [0x68, (machine) => recall(machine, machine.input.u8())], // BINGET
  [0x6a, (machine) => recall(machine, machine.input.u32())], // LONG_BINGET
  // names, and records built from them
  [0x63, globalLine], // GLOBAL
  [0x93, globalStack], // STACK_GLOBAL
  [0x69, async (machine) => (await globalLine(machine), refuse(machine, 'INST'))], // INST
  [0x51, (machine) => machine.push(machine.persistent(machine.pop()))], // BINPERSID
  [0x52, reduce], // REDUCE
  [0x81, reduce], // NEWOBJ
  [0x62, build], // BUILD
])

function protocol({ input }: Machine): void {
  const version = input.u8()
  if (version < 2 || version > 5) throw input.fail('unknown pickle protocol', version, '2 to 5')
}

async function longInteger({ input, push }: Machine, length: number): Promise<void> {
  if (length > MAX_PICKLE_INTEGER)
    throw input.fail('integer is too long', length, `at most ${MAX_PICKLE_INTEGER} bytes`)
  const digits = await input.take(length)
  let value = 0n
  for (const byte of digits.toReversed()) value = value * 256n + BigInt(byte)
  push(integer(BigInt.asIntN(length * 8, value)))
}

async function lineInteger({ input, push }: Machine): Promise<void> {
  const line = (await input.line()).replace(/L$/, '')
  if (!/^[+-]?[0-9]{1,100}$/.test(line)) throw input.fail('not an integer', line)
  // Protocols 0 and 1 write the booleans as 01 and 00.
  push(line === '00' || line === '01' ? line === '01' : integer(BigInt(line)))
}

function integer(value: bigint): number | bigint {
  const plain = Number(value)
  return Number.isSafeInteger(plain) ? plain : value
}

async function text({ input, push }: Machine, length: number | bigint): Promise<void> {
  const region = length > MAX_PICKLE_TEXT ? input.skip(length) : undefined
  if (region) return push({ kind: 'text', region })
  const bytes = await input.take(Number(length))
  try {
    push(utf8.decode(bytes))
  } catch {
    throw input.fail('text is not UTF-8')
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** A string of Python 2: text or bytes, depending on its use. */
async function byteString({ input, push }: Machine, length: number): Promise<void> {
  const position = input.position()
  if (length > LONGEST_NAME) return push({ kind: 'bytes', region: input.skip(length) })
  const copy = await input.take(length)
  const region = {
    byteLength: length,
    offset: position,
    load: async (start: number, end: number) => copy.slice(start, end),
  }
  push({ kind: 'bytes', region, text: Buffer.from(copy).toString('latin1') })
}

const LONGEST_NAME = 1_024

function bytes({ input, push }: Machine, length: number | bigint): void {
  push({ kind: 'bytes', region: input.skip(length) })
}

function tuple({ push, pop }: Machine, size: number): void {
  const items = Array.from({ length: size }, pop).reverse()
  push({ kind: 'tuple', items })
}

function append(machine: Machine, items: readonly Pickled[]): void {
  const target = machine.top()
  const list = ofKind(target, 'list')
  if (!list) throw machine.fail('appends to something that is not a list', kindOf(target))
  for (const item of items) list.items.push(item)
}

function setItem(machine: Machine): void {
  const value = machine.pop()
  setItems(machine, [machine.pop(), value])
}

function setItems(machine: Machine, items: readonly Pickled[]): void {
  const target = machine.top()
  const dict = ofKind(target, 'dict')
  if (!dict) throw machine.fail('sets items of something that is not a dict', kindOf(target))
  for (const [key, value] of pairs(machine, items)) dict.entries.set(key, value)
}

function pairs(machine: Machine, items: readonly Pickled[]): [Pickled, Pickled][] {
  if (items.length % 2 !== 0) throw machine.fail('a key without a value')
  return Array.from({ length: items.length / 2 }, (_, i) => [textOf(items[2 * i]) ?? items[2 * i]!, items[2 * i + 1]!])
}

function store({ input, memo, top }: Machine, index: number): void {
  input.hold()
  memo.set(index, top())
}

function recall({ memo, push, fail }: Machine, index: number): void {
  const value = memo.get(index)
  if (value === undefined) throw fail('nothing in the memo at', index)
  push(value)
}

async function globalLine(machine: Machine): Promise<void> {
  const module = await machine.input.line()
  machine.push(machine.global(module, await machine.input.line()))
}

function globalStack(machine: Machine): void {
  const [name, module] = [textOf(machine.pop()), textOf(machine.pop())]
  if (name === undefined || module === undefined) throw machine.fail('a global needs two strings')
  machine.push(machine.global(module, name))
}

function refuse({ fail }: Machine, opcode: string): never {
  throw fail('opcode is not on the list', opcode)
}

async function reduce(machine: Machine): Promise<void> {
  const args = ofKind(machine.pop(), 'tuple')
  const target = machine.pop()
  const call = ofKind(target, 'global')?.call
  if (!args || !call)
    throw machine.fail('applies something that is not a builder', ofKind(target, 'global')?.name ?? kindOf(target))
  machine.push(await call(args.items, machine))
}

/** State for the object below: only numpy's records have any; attributes of dicts mean nothing here. */
async function build(machine: Machine): Promise<void> {
  const state = machine.pop()
  const target = machine.top()
  const [array, dtype] = [ofKind(target, 'array'), ofKind(target, 'dtype')]
  if (array) setArrayState(array, state, machine)
  else if (dtype) setDtypeState(dtype, state, machine)
  else if (!ofKind(target, 'dict')) throw machine.fail('sets the state of what has none', kindOf(target))
}
