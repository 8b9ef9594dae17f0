/** Width of text, so that labels get the room they need: vega has no fonts and would guess. */

/** Hundredths of the font size, for DejaVu Sans from the space to the tilde. Verdana's are the same within two. */
const widths = [
  32, 40, 46, 84, 64, 95, 78, 27, 39, 39, 50, 84, 32, 36, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 34, 34, 84,
  84, 84, 53, 100, 68, 69, 70, 77, 63, 58, 77, 75, 29, 29, 66, 56, 86, 75, 79, 60, 79, 69, 63, 61, 73, 68, 99, 69, 61,
  69, 39, 34, 39, 84, 50, 50, 61, 63, 55, 63, 62, 35, 63, 63, 28, 28, 58, 28, 97, 63, 61, 63, 63, 41, 52, 39, 63, 59,
  82, 59, 59, 52, 64, 34, 64, 84,
]
/** Width of any other character: a dash, an arrow, a sign. */
const other = 84
/** Factor for the width of bold text. */
const bolder = 1.12

/** In pixels. */
export function textWidth(text: string, { size, bold = false }: { size: number; bold?: boolean | undefined }): number {
  let sum = 0
  for (const letter of text) sum += widths[(letter.codePointAt(0) ?? 0) - 32] ?? other
  return (sum / 100) * size * (bold ? bolder : 1)
}
