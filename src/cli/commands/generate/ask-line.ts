/** Reads a line from a person at a terminal. */
import { createInterface } from 'node:readline'

/**
 * Undefined at the end of the input: Ctrl-D, or Ctrl-C before the line is sent. The prompt goes to standard error,
 * because standard output is for answers.
 */
export async function askLine(): Promise<string | undefined> {
  // one reader per line: in between, Ctrl-C is a signal again
  const lines = createInterface({ input: process.stdin, output: process.stderr, prompt: '> ' })
  return new Promise((resolve) => {
    let sent = false
    lines.once('line', (line) => {
      sent = true
      resolve(line)
      lines.close()
    })
    lines.once('close', () => {
      resolve(undefined)
      // after Ctrl-C or Ctrl-D the line is still open
      if (!sent) process.stderr.write('\n')
    })
    lines.once('SIGINT', () => {
      lines.close()
    })
    lines.prompt()
  })
}
