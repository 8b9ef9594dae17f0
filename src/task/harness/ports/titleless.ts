/** Texts without WikiHow's markup, which many tasks clean by HellaSwag's rule. */
import { stripText } from '#core'

/** Titles in brackets end a sentence, other brackets go; two spaces become one, once. */
export function titleless(text: string): string {
  return stripText(text)
    .replaceAll(' [title]', '. ')
    .replace(/\[[^\n]*?\]/g, '')
    .replaceAll('  ', ' ')
}
