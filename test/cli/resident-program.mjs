/**
 * The built program in a process that outlives a command: started by `program.ts`, told what to run by message. The
 * program's modules are read and compiled once; each command evaluates its `main.js` anew, with arguments, working
 * folder and environment of its own. A command ends when the program has ended and nothing of it would keep a process
 * alive; what ends a process (`process.exit`, an error nobody catches) ends this one, as it would the program's own.
 */
import { setTimeout as pause } from 'node:timers/promises'

const main = new URL('../../.cache/bundle/dist/cli/main.js', import.meta.url)
const streams = [process.stdout, process.stderr]
/** What keeps this process alive between two commands: its channel and its pipes. */
let resting

process.on('message', async ({ args, cwd, env, end }) => {
  resting ??= alive()
  process.argv = [process.execPath, main.pathname, ...args]
  process.chdir(cwd)
  for (const name of Object.keys(process.env)) if (!Object.hasOwn(env, name)) delete process.env[name]
  Object.assign(process.env, env)
  process.exitCode = undefined
  // Another query is another module: the program from its first line, over modules that are there.
  await import(`${main.href}?${encodeURIComponent(end)}`)
  while (!isResting()) await pause(2)
  for (const stream of streams) {
    stream.removeAllListeners('error')
    await new Promise((written) => stream.write(end, written))
  }
  process.send({ code: process.exitCode ?? 0, memory: process.memoryUsage.rss() })
})
process.on('disconnect', () => process.exit())

/** How many resources of each kind keep the event loop alive. */
function alive() {
  const counts = new Map()
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return counts
}

function isResting() {
  return [...alive()].every(([kind, count]) => count <= (resting.get(kind) ?? 0))
}
