/**
 * Rows of one subject: files that make a function for each of their subjects (`globals().update(…)`), and name it after
 * the subject.
 */
import type { Port } from './port.ts'

/**
 * `nameOf`: the function's name from the column's value. The constants are the function's name and, somewhere, all
 * values.
 */
export function rowsNamed(
  column: string,
  nameOf: (value: string) => string,
): (constants: readonly (string | number)[]) => Port | undefined {
  return ([name, ...constants]) => {
    const value = constants.find((constant) => typeof constant === 'string' && nameOf(constant) === name)
    // a file of the same shape may look at another column
    if (value === undefined || !constants.includes(column)) return undefined
    return { kind: 'docs', run: (docs) => docs.filter((doc) => doc[column] === value) }
  }
}

/**
 * MMMLU (OpenAI 2024): the subject of the function's name; some languages write it as a file's name
 * (`anatomy_test.csv_sw-KE.csv`).
 */
export function mmmluRows([name]: readonly (string | number)[]): Port {
  const subject = String(name).replace(/^process_/, '')
  return {
    kind: 'docs',
    run: (docs) =>
      docs.filter(
        ({ Subject: own }) => typeof own === 'string' && own.replace(/_test(?:\.csv|-)[^]*$/, '') === subject,
      ),
  }
}
