/** Regular expressions from outside within a budget of time: one that tries every way through a text ends as a fault. */
import { createContext, Script } from 'node:vm'
import { fault } from '#core'
import { type PythonRegex, pythonRegex, type RegexFlags } from './regex.ts'

/** Longest time for one text, and in all for those that take more than a moment. */
export interface RegexBudget {
  readonly seconds: number
  readonly inAll: number
}

const usualBudget: RegexBudget = { seconds: 5, inAll: 60 }
const moment = 0.1

/** As `pythonRegex`; its methods throw `format.limit` where the budget is spent. */
export function boundedRegex(pattern: string, flags: RegexFlags = {}, budget: RegexBudget = usualBudget): PythonRegex {
  const own = pythonRegex(pattern, flags)
  const within = makeTimer(pattern, budget)
  return {
    findAll: (text) => within(text, () => own.findAll(text)),
    sub: (replacement, text, count) => within(text, () => own.sub(replacement, text, count)),
    search: (text) => within(text, () => own.search(text)),
    match: (text) => within(text, () => own.match(text)),
    fullMatch: (text) => within(text, () => own.fullMatch(text)),
    split: (text) => within(text, () => own.split(text)),
  }
}

/**
 * What runs a pattern over a text, within a budget. Only the virtual machine's own clock stops an expression that is
 * being run, at the cost of a tenth of a millisecond: patterns that cannot go astray do without it.
 */
export function makeTimer(
  pattern: string,
  { seconds, inAll }: RegexBudget = usualBudget,
): <Found>(text: string, run: () => Found) => Found {
  const simple = isSimple(pattern)
  let spent = 0
  return (text, run) => {
    if (simple && text.length < longText) return run()
    const began = performance.now()
    try {
      return runWithin(run, Math.max(1, Math.min(seconds, inAll - spent) * 1000))
    } catch (error) {
      if (!isTimeout(error)) throw error
      throw fault('format.limit', {
        place: 'regular expression',
        what: 'takes too long',
        seen: pattern,
        wanted: `${seconds} s for a text of ${text.length} characters, ${inAll} s in all`,
        hint: 'write it without a repeat inside a repeat: (a*)* finds what a* finds',
        cause: error,
      })
    } finally {
      const taken = (performance.now() - began) / 1000
      if (taken > moment) spent += taken
    }
  }
}

/** Characters up to which a simple pattern needs no clock: its steps grow with the square at most. */
const longText = 20_000

/** At most one repeat, and none of a group. */
function isSimple(pattern: string): boolean {
  const bare = pattern.replace(/\\[^]/g, 'x').replace(/\[\^?\]?[^\]]*\]/g, 'x')
  return !/\)[*+?{]/.test(bare) && (bare.match(/[*+]|\{\d*,\d*\}/g)?.length ?? 0) < 2
}

const holder: { run: (() => unknown) | undefined } = { run: undefined }
const machine = createContext(holder)
const script = new Script('run()')

function runWithin<Found>(run: () => Found, milliseconds: number): Found {
  const outer = holder.run
  holder.run = run
  try {
    return script.runInContext(machine, { timeout: Math.ceil(milliseconds) }) as Found
  } finally {
    holder.run = outer
  }
}

/** An error of the virtual machine is none of this one's. */
function isTimeout(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
}
