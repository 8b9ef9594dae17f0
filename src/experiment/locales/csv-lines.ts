/** Tables as merginguriel's program writes them, whose lines end in a line feed alone. */
import { csvLine } from '#files/tables'

export function csvLines(rows: readonly (readonly (string | number | null)[])[]): string {
  return rows.map((row) => csvLine(row).replace(/\r\n$/, '\n')).join('')
}
