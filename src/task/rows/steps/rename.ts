/** Columns under the names the task knows; nested fields by dotted names. */
import { eachSplit, type StepKind } from './step.ts'

/** Old name → new name. */
export const rename: StepKind<Readonly<Record<string, string>>> = {
  before(wanted, names) {
    const needed = new Set(wanted)
    for (const [from, to] of Object.entries(names)) if (needed.delete(to)) needed.add(from)
    return needed
  },
  apply: (splits, names) => {
    const renamed = (name: string): string => (Object.hasOwn(names, name) ? (names[name] ?? name) : name)
    return eachSplit(splits, (rows) => ({
      ...rows,
      columns: Object.fromEntries(Object.entries(rows.columns).map(([name, values]) => [renamed(name), values])),
      classLabels: new Map([...rows.classLabels].map(([name, names]) => [renamed(name), names])),
    }))
  },
}
