/** Text from files and hubs as a terminal may get it. */

/**
 * Control characters (C0, DEL, C1), and overrides of the writing direction (Unicode UAX #9), which make a line read as
 * another.
 */
// oxlint-disable-next-line no-control-regex -- control characters are what is replaced
const commands = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g

/** One line without anything that a terminal obeys: `\u001b`, which inside JSON is still the same character. */
export function printable(line: string): string {
  return line.replace(commands, escaped)
}

/** A text of several lines, with its tabs. */
export function printableText(text: string): string {
  return text.replace(commands, (command) => (command === '\n' || command === '\t' ? command : escaped(command)))
}

function escaped(command: string): string {
  return `\\u${command.charCodeAt(0).toString(16).padStart(4, '0')}`
}
