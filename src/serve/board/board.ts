/** The board: looks at its folders, keeps what it shows, and wakes those who wait for a change. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { asFault, type Fault } from '#core'
import { companionPictures, figure, type Report, reportPictures, type TableView } from '#result/report'
import { type LookerOptions, openLooker } from './look.ts'
import { show, type ShowOptions, type Shown } from './report-sections.ts'
import { shortHash, type Section } from './section.ts'

/** What a page learns whenever something changed: what there is to show, not its content. */
export interface Notice {
  /** Another one after the server was started again. */
  readonly board: string
  readonly version: number
  /** Whether the first look is over. */
  readonly isWhole: boolean
  readonly sections: readonly Pick<Section, 'id' | 'title' | 'kind' | 'isOpen' | 'hash'>[]
}

export interface Board {
  notice(): Notice
  shown(): Shown
  /** Content of a part of the page; undefined where there is none. */
  html(id: string, view: TableView): Promise<string | undefined>
  /** Resolves once there is a notice of another version, when `signal` is aborted, or after `milliseconds`. */
  next(version: number, options: { readonly signal: AbortSignal; readonly milliseconds: number }): Promise<void>
  /** Ends with `signal`. */
  run(signal: AbortSignal): Promise<void>
}

export interface BoardOptions extends ShowOptions, Omit<LookerOptions, 'signal'> {
  /** Milliseconds between two looks. */
  readonly interval?: number | undefined
  /** Hears of a look that failed; the next one follows. */
  readonly onFailure?: ((failure: Fault) => void) | undefined
}

/** Looks, reports and drawings each take at most one part in this number of the time. */
const share = 5
/** Milliseconds that pictures are shown before they are drawn anew. */
const shortestDrawing = 5000

export function openBoard({ interval = 1000, mainScore, onFailure, ...options }: BoardOptions): Board {
  const board = randomUUID()
  const waiting = new Set<() => void>()
  const pictures = openPictures()
  let version = 0
  let shown: Shown = { sections: [], report: undefined, scores: [], rest: [], seen: nothing }
  const sections = (): readonly Section[] =>
    shown.sections.map((one) => (one.kind === 'pictures' ? { ...one, hash: pictures.hash() } : one))
  const change = (): void => {
    version++
    for (const wake of waiting) wake()
  }
  return {
    notice: () => ({
      board,
      version,
      isWhole: shown.seen.isWhole,
      sections: sections().map(({ id, title, kind, isOpen, hash }) => ({ id, title, kind, isOpen, hash })),
    }),
    shown: () => shown,
    async html(id, view) {
      const section = shown.sections.find((one) => one.id === id)
      return section?.kind === 'pictures' ? pictures.html() : section?.html(view)
    },
    next: (known, { signal, milliseconds }) =>
      new Promise((resolve) => {
        if (known !== version || signal.aborted) return resolve()
        const timer = setTimeout(done, milliseconds)
        function done(): void {
          clearTimeout(timer)
          waiting.delete(done)
          signal.removeEventListener('abort', done)
          resolve()
        }
        waiting.add(done)
        signal.addEventListener('abort', done, { once: true })
      }),
    async run(signal) {
      const looker = openLooker(options.folders, { mainScore, signal })
      const pace = openPace(interval)
      const showNow = async (): Promise<void> => {
        shown = await show(looker.seen(), options)
        change()
      }
      /** Results changed since the report was made. */
      let isOld = false
      let usual = 0
      while (!signal.aborted) {
        const began = performance.now()
        // the files read so far are shown while the rest is read
        let [showing, isDue]: [Promise<void>, boolean] = [Promise.resolve(), true]
        const onRead = (): void => {
          if (shown.seen.isWhole || !isDue || !pace.isDue()) return
          isDue = false
          showing = pace.timed(showNow).finally(() => (isDue = true))
        }
        let spent = 0
        try {
          const changed = await looker.look({ now: Date.now(), onRead })
          await showing
          isOld ||= changed
          // a new result is listed at once, and counted when the tables are due
          if (changed && shown.seen.isWhole) {
            shown = await show(looker.seen(), options, shown)
            change()
          }
          spent = performance.now() - began
          if (isOld && (!shown.seen.isWhole || pace.isDue())) {
            await pace.timed(showNow)
            isOld = false
          }
          if (pictures.take(shown.report)) change()
        } catch (error) {
          spent = performance.now() - began
          if (!signal.aborted) onFailure?.(asFault(error, 'internal', 'board'))
        }
        // the first look, and one that checks every file, cost more than the next one will
        const rest = share * Math.min(spent, usual)
        usual = spent
        await sleep(Math.max(interval, rest), undefined, { signal }).catch(() => undefined)
      }
    },
  }
}

const nothing = { results: [], runs: [], searches: [], harness: [], gone: [], broken: [], isWhole: false } as const

/** Work that takes long is done less often. */
function openPace(interval: number): { isDue: () => boolean; timed: (work: () => Promise<void>) => Promise<void> } {
  let due = 0
  return {
    isDue: () => performance.now() >= due,
    async timed(work) {
      const began = performance.now()
      await work()
      const spent = performance.now() - began
      due = performance.now() + Math.max(interval, share * spent)
    },
  }
}

interface Pictures {
  hash(): string
  /** Takes a report to draw; true where it is another one than before. */
  take(report: Report | undefined): boolean
  html(): Promise<string>
}

/** Pictures are drawn when somebody wants to see them, once for all. */
function openPictures(): Pictures {
  let taken: { readonly report: Report | undefined; readonly hash: string } = { report: undefined, hash: '' }
  let drawn: { readonly hash: string; readonly html: Promise<string> } | undefined
  let due = 0
  return {
    hash: () => taken.hash,
    take(report) {
      if (report === undefined || report === taken.report || performance.now() < due) return false
      const hash = shortHash(JSON.stringify([report.rows, report.standings, report.beside]))
      const isOther = hash !== taken.hash
      taken = { report, hash }
      due = performance.now() + shortestDrawing
      return isOther
    },
    html() {
      const { report, hash } = taken
      if (drawn?.hash !== hash) {
        const began = performance.now()
        drawn = { hash, html: report === undefined ? Promise.resolve('') : draw(report) }
        void drawn.html
          .catch(() => '')
          .then(() => (due = performance.now() + Math.max(shortestDrawing, share * (performance.now() - began))))
      }
      return drawn.html
    },
  }
}

async function draw(report: Report): Promise<string> {
  const figures: string[] = []
  for (const [at, one] of [...reportPictures(report), ...companionPictures(report)].entries())
    figures.push(await figure(one, `picture-${at}`))
  if (figures.length === 0) return ''
  return `<section aria-labelledby="pictures">\n<h2 id="pictures">Pictures</h2>\n<div class="figures">\n${figures.join('\n')}\n</div>\n</section>`
}
