/**
 * Two flags shared by a thread and its owner: is it inside the engine, and should it stop.
 *
 * Node ends worker threads by throwing into them; a thread that is inside the engine's native code then takes the whole
 * process down with SIGABRT. So a thread is never terminated: it is asked to stop, and when the process exits the owner
 * first waits until the native call is over.
 */

export interface Activity {
  readonly shared: SharedArrayBuffer
  /** [inside the engine, stop]. */
  readonly flags: Int32Array
}

/** Longest wait for one native call when the process exits. */
const patienceMilliseconds = 60_000

const watched = new Set<Activity>()

export function activityOf(shared: SharedArrayBuffer): Activity {
  return { shared, flags: new Int32Array(shared) }
}

/** Flags for one new thread, watched until `release`. */
export function guardExit(): { activity: Activity; release: () => void } {
  const activity = activityOf(new SharedArrayBuffer(8))
  if (watched.size === 0) process.on('exit', awaitNativeCalls)
  watched.add(activity)
  return {
    activity,
    release() {
      watched.delete(activity)
      if (watched.size === 0) process.off('exit', awaitNativeCalls)
    },
  }
}

/** Whether the owner has said stop. */
export function isStopped({ flags }: Activity): boolean {
  return Atomics.load(flags, 1) === 1
}

/** Runs `work`, which calls the engine, in a thread; undefined when the owner has said stop. */
export async function insideEngine<T>(activity: Activity, work: () => Promise<T>): Promise<T | undefined> {
  const { flags } = activity
  Atomics.store(flags, 0, 1)
  try {
    // Entered before asking: the owner sets stop before it looks whether we are inside.
    return isStopped(activity) ? undefined : await work()
  } finally {
    Atomics.store(flags, 0, 0)
    Atomics.notify(flags, 0)
  }
}

function awaitNativeCalls(): void {
  for (const { flags } of watched) Atomics.store(flags, 1, 1)
  for (const { flags } of watched) Atomics.wait(flags, 0, 1, patienceMilliseconds)
}
