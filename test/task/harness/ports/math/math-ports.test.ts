/**
 * Answers in the manner of MATH, judged as lm-evaluation-harness 0.4.13 judges them with SymPy and math_verify
 * (oracles/math_answers.py).
 */
import { describe, expect, test } from 'vitest'
import { Fault } from '#core'
import { goldenOf } from '../../../../golden-of.ts'
import { functionWording } from '../../../../../src/task/harness/config/python-source.ts'
import type { Doc, DocValue } from '../../../../../src/task/harness/doc.ts'
import { mathPorts, mathShapes } from '../../../../../src/task/harness/ports/math/math-table.ts'
import type { Port } from '../../../../../src/task/harness/ports/port.ts'

interface Judged {
  readonly solution: string
  readonly response: string
  /** A digit for each metric, `-` where the reference raises. */
  readonly judged: string
}
interface Golden {
  readonly tuned: readonly Judged[]
  readonly held: readonly Judged[]
  readonly rows: readonly {
    readonly file: keyof typeof folders
    readonly function: string
    readonly row: Doc
    readonly left: readonly Doc[] | null
  }[]
  readonly targets: readonly { readonly answer: DocValue; readonly target: string }[]
  readonly picked: readonly {
    readonly answer: DocValue
    readonly response: string
    readonly hrm8k: number
    readonly agieval: number | null
  }[]
  readonly texts: readonly { readonly function: string; readonly doc: Doc; readonly text: string }[]
}
const golden = goldenOf<Golden>('task/harness/ports/math', 'answers')

const metrics = [
  ['minerva_math', 'exact_match'],
  ['minerva_math', 'math_verify'],
  ['leaderboard/math', 'exact_match'],
  ['leaderboard/math', 'exact_match_original'],
  ['hendrycks_math', 'exact_match'],
  ['aime', 'exact_match'],
  ['putnam_axiom', 'exact_match'],
  ['agieval', 'acc'],
  ['hrm8k/default', 'exact_match'],
] as const
const folders = {
  minerva: 'minerva_math',
  leaderboard: 'leaderboard/math',
  hendrycks: 'hendrycks_math',
  putnam: 'putnam_axiom',
} as const

function portOf<Kind extends Port['kind']>(folder: string, name: string, kind: Kind): Extract<Port, { kind: Kind }> {
  const port = mathPorts[`${folder}/utils.py#${name}`]
  if (port?.kind !== kind) throw new Error(`no ${kind} ${name} of ${folder}`)
  return port as Extract<Port, { kind: Kind }>
}

/** What the folder's metric says of a response; its rows are made as its tasks make them. */
function judge(folder: string, metric: string, { solution, response }: Judged): string {
  const rowsFrom = ['minerva_math', 'putnam_axiom', 'leaderboard/math'].includes(folder) ? folder : 'hendrycks_math'
  const [row] = portOf(rowsFrom, 'process_docs', 'docs').run([{ problem: '', solution, level: 'Level 5' }])
  return JSON.stringify(portOf(folder, 'process_results', 'results').run(row ?? {}, [response])[metric])
}

/** How many answers the reference judges, and which of them are judged otherwise here. */
const compared = (half: readonly Judged[]) =>
  metrics.map(([folder, metric], i) => {
    const judged = half.filter((one) => one.judged[i] !== '-')
    return {
      name: `${folder} ${metric}`,
      all: judged.length,
      apart: judged.filter((one) => judge(folder, metric, one) !== one.judged[i]),
    }
  })

const boxes = (of: ReturnType<typeof compared>): string[] => [
  ...new Set(
    of.flatMap(({ apart }) =>
      apart.map(
        ({ solution, response }) => `${solution.slice(11, -3)} | ${response.replace(/^[^$]*\$+|\$+[^$]*$/g, '')}`,
      ),
    ),
  ),
]

test('answers that it was mended by are judged as the reference does', () => {
  // the same number for real x, which SymPy does not prove
  expect(boxes(compared(golden.tuned))).toEqual(['\\ln(x^2) | 2\\ln|x|'])
})

describe('answers that it was not mended by', () => {
  const held = compared(golden.held)
  test('agreement', () => {
    expect(Object.fromEntries(held.map(({ name, all, apart }) => [name, `${all - apart.length} of ${all}`]))).toEqual({
      'minerva_math exact_match': '681 of 685',
      'minerva_math math_verify': '674 of 685',
      'leaderboard/math exact_match': '676 of 687',
      'leaderboard/math exact_match_original': '684 of 687',
      'hendrycks_math exact_match': '685 of 685',
      'aime exact_match': '685 of 685',
      'putnam_axiom exact_match': '681 of 685',
      'agieval acc': '685 of 685',
      'hrm8k/default exact_match': '685 of 685',
    })
  })
  test('which are judged otherwise', () =>
    expect(new Set(boxes(held))).toEqual(
      new Set([
        // the same number, which SymPy does not prove: decimals stay decimals there
        '\\frac{5\\sqrt{2}}{2} | \\sqrt{12.5}',
        'x^{\\frac{3}{2}} | x^{1.5}',
        '6.02\\times10^{23} | 602\\times10^{21}',
        '2\\sqrt[4]{5} | 2\\cdot5^{0.25}',
        '\\lceil -2.5\\rceil | -\\lfloor 2.5\\rfloor',
        // the same but left of 0
        '\\frac{1}{\\sqrt[3]{x}} | \\sqrt[3]{\\frac{1}{x}}',
        // not computed here
        '\\begin{vmatrix} 1 & 2 \\\\ 3 & 4 \\end{vmatrix} | -2',
        '\\begin{vmatrix} 1 & 2 \\\\ 3 & 4 \\end{vmatrix} | 1\\cdot4-2\\cdot3',
        '5\\pmod{7} | \\boxed{5 \\pmod 7}',
        '\\gcd(12,18) | 6',
        '\\gcd(12,18) | \\gcd(18,12)',
        '\\max(3,7) | 7',
        '\\max(3,7) | \\max(7,3)',
      ]),
    ))
})

function leftOf(port: Extract<Port, { kind: 'docs' }>, row: Doc): unknown {
  try {
    return port.run([row])
  } catch (error) {
    return error instanceof Fault ? error.code : error
  }
}

describe('rows', () => {
  test.each(golden.rows)('$file $function $row.solution', ({ file, function: name, row, left }) => {
    expect(leftOf(portOf(folders[file], name, 'docs'), row)).toEqual(left ?? 'task.value')
  })
  test('the prompt of Minerva', () => {
    expect(portOf('putnam_axiom', 'doc_to_text', 'field').run({ problem: ' 1+1? ', solution: '' })).toBe(
      'Problem:\n 1+1? \n\nSolution:',
    )
  })
})

describe('HRM8K and AGIEval', () => {
  test.each(golden.targets)('$answer', ({ answer, target }) =>
    expect(portOf('hrm8k/default', 'doc_to_target', 'field').run({ answer })).toBe(target),
  )
  test('pick the answer of a response', () => {
    const differ = golden.picked.flatMap(({ answer, response, hrm8k, agieval }) => {
      const judged = (folder: string) =>
        Object.values(portOf(folder, 'process_results', 'results').run({ answer }, [response]))[0]
      const own = [judged('hrm8k/default'), agieval === null ? null : judged('agieval')]
      return own[0] === hrm8k && own[1] === agieval ? [] : [{ answer, response, own }]
    })
    expect(differ).toEqual([])
  })
  test('a prompt around a column', () => {
    const source = `def doc_to_text(doc):\n    text = (\n        "풀어\\n"\n        "$\\\\boxed{N}$\\n\\n"\n        f"문제: {doc['question'].strip()}\\n답변:"\n    )\n    return text\n`
    const port = mathShapes['hrm8k/default/utils.py#doc_to_text']?.(
      functionWording(source, 'doc_to_text')?.constants ?? [],
    )
    expect(port?.kind === 'field' && port.run({ question: ' x? \n' })).toBe('풀어\n$\\boxed{N}$\n\n문제: x?\n답변:')
  })
})

describe('samples', () => {
  const samples = (source: string): Port | undefined =>
    mathShapes['minerva_math/utils.py#list_fewshot_samples']?.(
      functionWording(source, 'list_fewshot_samples')?.constants ?? [],
    )
  test('are the literals of their file', () => {
    const port = samples(
      `def list_fewshot_samples() -> list[dict]:\n    return [\n        {"problem": "a\\n\\\\b", 'few': "1"},\n        {"problem": '"', "few": "2",},\n    ]\n`,
    )
    expect(port?.kind === 'samples' && port.run()).toEqual([
      { problem: 'a\n\\b', few: '1' },
      { problem: '"', few: '2' },
    ])
  })
  test('are not made of rows that differ in their columns', () =>
    expect(samples(`def list_fewshot_samples():\n    return [{"a": "1", "b": "2"}, {"a": "3"}]\n`)).toBeUndefined())
})
