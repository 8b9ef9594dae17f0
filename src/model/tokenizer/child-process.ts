/**
 * An engine in a child process. The core aborts its process on a panic and cannot be interrupted, so what strangers can
 * make it do ends there: every request has a time limit, and a dead child is a fault for the text that killed it. The
 * next request starts a new one.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { asFault, type Fault, fault } from '#core'
import { compiledSibling } from '#platform/threads'
import type { EncodedSlice, Engine, SplitText } from './engine.ts'

export type Request =
  | { readonly kind: 'open'; readonly json: string }
  | { readonly kind: 'encode'; readonly texts: readonly string[]; readonly offsets: boolean }
  | { readonly kind: 'split'; readonly texts: readonly string[] }
  | { readonly kind: 'decode'; readonly ids: readonly number[]; readonly skipSpecialTokens: boolean }

export type Reply = { readonly value: unknown } | { readonly error: string }

/** Start of a Node process on a busy machine. */
const startMilliseconds = 15_000
/**
 * Least patience with one request, and characters per further millisecond: a tenth of what the core does on ordinary
 * text.
 */
const leastMilliseconds = 2_000
const charactersPerMillisecond = 100
/** A child nobody asks is stopped; it holds a copy of the vocabulary. */
const idleMilliseconds = 30_000
/** Beyond this a child is not slow but growing. */
const heapMebibytes = 1024

/**
 * Builds the tokenizer in a child process. Faults: `tokenizer.invalid` when the core refuses or dies, `tokenizer.limit`
 * when it takes too long.
 */
export async function openEngineInChildProcess(json: string, place: string): Promise<Engine> {
  let child: Child | undefined
  let idle: NodeJS.Timeout | undefined
  let last: Promise<unknown> = Promise.resolve()

  const ask = async (request: Request, characters: number): Promise<unknown> => {
    clearTimeout(idle)
    if (child === undefined || child.ended) {
      child = startChild(place)
      await child.ask({ kind: 'open', json }, startMilliseconds + patience(json.length))
    }
    if (request.kind === 'open') return undefined
    return child.ask(request, patience(characters))
  }
  // One at a time, so that a limit counts the request's own time only.
  const inTurn = (request: Request, characters: number): Promise<unknown> => {
    const turn = last.then(() => ask(request, characters))
    last = turn
      .catch(() => undefined)
      .finally(() => {
        idle = setTimeout(() => child?.stop(), idleMilliseconds).unref()
      })
    return turn
  }

  await inTurn({ kind: 'open', json }, 0)
  return {
    async encode(texts, offsets) {
      const characters = texts.reduce((sum, text) => sum + text.length, 0)
      return (await inTurn({ kind: 'encode', texts, offsets }, characters)) as EncodedSlice
    },
    async decode(ids, skipSpecialTokens) {
      return (await inTurn({ kind: 'decode', ids, skipSpecialTokens }, ids.length * 10)) as string
    },
    async split(texts) {
      return (await inTurn({ kind: 'split', texts }, texts.join('').length)) as SplitText[]
    },
  }
}

function patience(characters: number): number {
  return leastMilliseconds + characters / charactersPerMillisecond
}

interface Child {
  readonly ended: boolean
  ask(request: Request, milliseconds: number): Promise<unknown>
  stop(): void
}

function startChild(place: string): Child {
  const child = fork(fileURLToPath(compiledSibling(import.meta.url, 'child-process-main')), [], {
    // Flags of the parent (test runners, inspectors) are not for the child; typed arrays cross as they are.
    execArgv: [`--max-old-space-size=${heapMebibytes}`],
    env: { ...process.env, NODE_OPTIONS: '', RUST_BACKTRACE: '0' },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let ended = false
  let words = ''
  let waiting: { resolve: (value: unknown) => void; reject: (reason: Fault) => void; timer: NodeJS.Timeout } | undefined

  const settle = (): typeof waiting => {
    const held = waiting
    waiting = undefined
    clearTimeout(held?.timer)
    hold(child, false)
    return held
  }
  child.stderr?.setEncoding('utf8').on('data', (data: string) => (words = (words + data).slice(-8_000)))
  child.on('message', (reply: Reply) => {
    const held = settle()
    if ('value' in reply) held?.resolve(reply.value)
    else held?.reject(fault('tokenizer.invalid', { place, what: reply.error }))
  })
  child.on('error', (error) => {
    ended = true
    settle()?.reject(asFault(error, 'internal', place))
  })
  // `close`, not `exit`: by then everything it said has arrived.
  child.on('close', () => {
    ended = true
    settle()?.reject(deathOf(words, place))
  })
  hold(child, false)

  return {
    get ended() {
      return ended
    },
    ask: (request, milliseconds) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          child.kill('SIGKILL')
          ended = true
          settle()?.reject(
            fault('tokenizer.limit', {
              place,
              what: 'the tokenizer takes too long',
              seen: `${Math.round(milliseconds)} ms`,
              hint,
            }),
          )
        }, milliseconds)
        waiting = { resolve, reject, timer }
        hold(child, true)
        child.send(request, (error) => {
          if (error !== null && !ended) settle()?.reject(asFault(error, 'internal', place))
        })
      }),
    stop() {
      ended = true
      child.kill('SIGKILL')
    },
  }
}

const hint = 'one of its regular expressions or tables does not fit the text; use a tokenizer from a source you trust'

/**
 * What the core said before it took the child along: `Onig: Regex search error: retry-limit-in-match over`, a panic's
 * message.
 */
function deathOf(words: string, place: string): Fault {
  const lines = words.split('\n').filter((line) => line.trim() !== '')
  const panic = lines.findIndex((line) => line.includes('panicked at'))
  const said = (panic === -1 ? lines.at(-1) : lines[panic + 1])?.trim() ?? 'no word'
  return fault(/limit|memory/i.test(said) ? 'tokenizer.limit' : 'tokenizer.invalid', {
    place,
    what: `the native tokenizer gave up: ${said}`,
    hint,
  })
}

/** Only a child with something to answer keeps this process alive. */
function hold(child: ChildProcess, busy: boolean): void {
  const change = busy ? 'ref' : 'unref'
  child[change]()
  child.channel?.[change]()
  const stderr = child.stderr as (NodeJS.ReadableStream & { ref?(): void; unref?(): void }) | null
  stderr?.[change]?.()
}
