/** A board behind an address, until a signal. */
import { stat } from 'node:fs/promises'
import { fault, type Fault } from '#core'
import { listen, type ListenOptions, openGauges, settleListening } from '#serve/http'
import { boardPage } from './board-page.ts'
import { openBoard } from './board.ts'
import { findPlaces } from './find-places.ts'
import { openLanes } from './lanes.ts'
import type { TextsOf } from './result-view.ts'
import { routes } from './routes.ts'

export interface ServeBoardOptions extends Omit<ListenOptions, 'origins' | 'maxQueue' | 'maxBody'> {
  /** Milliseconds between two looks at the folders. */
  readonly interval?: number | undefined
  /** Type of a task; '' where it is not known. */
  readonly typeOf?: ((task: string) => string) | undefined
  /** Main score of a task, for old files that do not name it. */
  readonly mainScore?: ((task: string) => string | undefined) | undefined
  readonly textsOf?: TextsOf | undefined
}

/** What a board would show, and where. */
export interface BoardPlan {
  readonly host: string
  readonly port: number
  readonly key: 'asked' | 'not asked'
  readonly results: readonly string[]
  readonly runs: readonly string[]
  readonly searches: readonly string[]
  readonly harness: readonly string[]
}

const usualPort = 8081
/** Results and comparisons that are read at the same time. */
const lanes = 2
/** Bytes of a request. */
const maxBody = 16 * 1024

/** Opens no socket. Throws as `serveBoard` does. */
export async function planBoard(folders: readonly string[], options: ServeBoardOptions): Promise<BoardPlan> {
  const { host, port, key } = settled(options)
  await checkFolders(folders)
  const { roots, runs, searches, harness } = await findPlaces(folders)
  return {
    host,
    port,
    key: key === undefined ? 'not asked' : 'asked',
    results: roots.map(({ root }) => root),
    runs,
    searches,
    harness,
  }
}

/**
 * Only reads. Throws `file.missing` for a folder that does not exist, `usage.conflict` for a host that others reach
 * without a key, `server.network`.
 */
export async function serveBoard(
  folders: readonly string[],
  { interval, typeOf, mainScore, textsOf, ...options }: ServeBoardOptions,
): Promise<void> {
  const listening = settled(options)
  await checkFolders(folders)
  const { signal, onFailure } = options
  const board = openBoard({ folders, interval, typeOf, mainScore, onFailure: (failure: Fault) => onFailure?.(failure) })
  const page = await boardPage('Results')
  const stop = new AbortController()
  const both = AbortSignal.any([signal, stop.signal])
  const running = board.run(both)
  try {
    const world = { board, page, textsOf, typeOf, lanes: openLanes(lanes), signal: both }
    await listen(routes, world, { ...listening, gauges: openGauges() })
  } finally {
    stop.abort()
    await running
  }
}

function settled(options: ListenOptions): ReturnType<typeof settleListening> {
  return settleListening({ ...options, port: options.port ?? usualPort, maxBody })
}

async function checkFolders(folders: readonly string[]): Promise<void> {
  for (const folder of folders)
    if ((await stat(folder).catch(() => undefined))?.isDirectory() !== true)
      throw fault('file.missing', { place: folder, what: 'no such folder' })
}
