/**
 * The pickle machine: a stack, a memo, and a closed list of opcodes (Python's pickletools, protocols 2–5).
 * A global is a name on a list or an error; applying one builds a record. Nothing is imported, called or constructed.
 */
import type { PickleInput } from './pickle-input.ts'
import type { Machine } from './pickle-machine.ts'
import { opcodes } from './pickle-opcodes.ts'
import type { Pickled, PickledBytes, PickledGlobal, PickledText, Scene } from './pickle-values.ts'
import { memoryRegion } from './view-source.ts'

/** What a kind of file allows in its pickles. */
export interface PickleRules {
  /** `module` line feed `name` → what it stands for. */
  readonly globals: ReadonlyMap<string, PickledGlobal>
  /** A reference to data outside the pickle; without it none is allowed. */
  readonly persistent?: (id: Pickled, scene: Scene) => Pickled
}

/**
 * Runs one pickle up to its STOP. Faults: `format.pickle`, `format.limit`. The bytes read bound the time, the values
 * made the memory.
 */
export async function unpickle(input: PickleInput, rules: PickleRules): Promise<Pickled> {
  const machine = createMachine(input, rules)
  for (;;) {
    const refill = input.refill()
    if (refill) await refill
    const code = input.u8()
    if (code === STOP) return finish(machine)
    const run = opcodes.get(code)
    if (!run) throw input.fail('opcode is not on the list', `0x${code.toString(16)}`)
    const wait = run(machine)
    if (wait) await wait
  }
}

const STOP = 0x2e

function finish(machine: Machine): Pickled {
  const value = machine.pop()
  if (!machine.empty()) throw machine.fail('pickle ends with values left over')
  return value
}

function createMachine(input: PickleInput, { globals, persistent }: PickleRules): Machine {
  const stack: Pickled[] = []
  const marks: number[] = []
  const encoded = new Map<string | PickledText, PickledBytes>()
  const begin = input.position()
  let spent = 0
  const scene: Scene = {
    fail: input.fail,
    spend(items) {
      spent += items
      if (spent > input.position() - begin) throw input.fail('copies more than the file holds')
    },
    async latin1(text) {
      const before = encoded.get(text)
      if (before) return before
      const bytes: PickledBytes = {
        kind: 'bytes',
        region: memoryRegion(
          latin1Bytes(
            typeof text === 'string' ? Buffer.from(text) : await text.region.load(0, text.region.byteLength),
            input,
          ),
        ),
      }
      encoded.set(text, bytes)
      return bytes
    },
  }
  return {
    ...scene,
    input,
    memo: new Map(),
    empty: () => stack.length === 0 && marks.length === 0,
    push(value) {
      input.hold()
      stack.push(value)
    },
    pop,
    top() {
      const value = pop()
      stack.push(value)
      return value
    },
    mark() {
      input.hold()
      marks.push(stack.length)
    },
    popMark() {
      const from = marks.pop()
      if (from === undefined) throw input.fail('no mark on the stack')
      return stack.splice(from)
    },
    global(module, name) {
      const found = globals.get(`${module}\n${name}`)
      if (found) return found
      throw input.fail(
        'global is not on the list',
        `${module}.${name}`,
        undefined,
        'a pickle can run any program: only tensors and plain values are read, and nothing was run',
      )
    },
    persistent(id) {
      if (!persistent) throw input.fail('reference to data outside the pickle')
      return persistent(id, scene)
    },
  }

  function pop(): Pickled {
    if (stack.length <= (marks.at(-1) ?? 0)) throw input.fail('stack is empty')
    return stack.pop()!
  }
}

/** Characters U+0000 to U+00FF, given as UTF-8, as one byte each. */
function latin1Bytes(utf8: Uint8Array, input: PickleInput): Uint8Array {
  const out = new Uint8Array(utf8.length)
  let length = 0
  for (let i = 0; i < utf8.length; i++) {
    const byte = utf8[i]!
    if (byte < 0x80) out[length++] = byte
    else if ((byte & 0xfe) === 0xc2 && (utf8[i + 1]! & 0xc0) === 0x80)
      out[length++] = ((byte & 3) << 6) | (utf8[++i]! & 0x3f)
    else throw input.fail('text is not Latin-1 bytes')
  }
  return out.slice(0, length)
}
