/** The YAML head of a README. */
import { parseYaml } from './yaml.ts'

/** The head's value; undefined when the text does not begin with one. Throws `format.yaml`. */
export function frontMatter(text: string, place: string): unknown {
  const head = /^\uFEFF?---[ \t]*\r?\n([^]*?)(?:^|\n)---[ \t]*(?:\r?\n|$)/.exec(text)?.[1]
  return head === undefined || head.trim() === '' ? undefined : parseYaml(head, place)
}
