/** What a command that serves prints: where it answers, and what failed inside. */
import type { Fault } from '#core'
import type { Terminal } from '../spec/command.ts'

export interface ServingLines {
  readonly onOpen: (address: string) => void
  readonly onFailure: (failure: Pick<Fault, 'message'>) => void
}

export function servingLines(terminal: Terminal, { json }: { readonly json?: boolean | undefined }): ServingLines {
  return {
    onOpen: (address) =>
      terminal.print(json === true ? JSON.stringify({ address }) : `listening on ${address} – Ctrl-C stops it`),
    onFailure: ({ message }) => terminal.note(`failed  ${message}`),
  }
}
