// Names that the sources export, by the compiler's own parser.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { filesBelow } from './prose.mjs'

/**
 * Shapes of names: a participle is no noun, and `xOf` does not say whether it reads, converts, finds or builds.
 *
 * @type {Record<string, { instead: string, is: (one: { name: string, isFunction: boolean }) => boolean }>}
 */
export const names = {
  participles: {
    instead: 'a noun',
    is: ({ name }) => name.split(/(?=[A-Z])|_/).some((word) => /^(?:told|held|kept|own|asked)$/i.test(word)),
  },
  'functions-of': {
    instead: 'readX, toX, findX, makeX',
    is: ({ name, isFunction }) => isFunction && /[a-z\d]Of$/.test(name),
  },
}

/** Occurrences of every shape of names below `src/`. */
export function countNames(/** @type {string} */ root) {
  const exported = filesBelow(join(root, 'src'), /\.ts$/).flatMap((path) =>
    exportedNames(readFileSync(path, 'utf8'), path).map(({ line, ...one }) => ({
      ...one,
      place: `${path.slice(root.length + 1)}:${line}`,
    })),
  )
  return Object.fromEntries(Object.entries(names).map(([shape, { is }]) => [shape, exported.filter(is)]))
}

/** What a file declares and exports; what it hands on from another file has its place there. */
export function exportedNames(/** @type {string} */ text, /** @type {string} */ path = 'source.ts') {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const at = (/** @type {ts.Node} */ node) => source.getLineAndCharacterOfPosition(node.getStart()).line + 1
  return source.statements.flatMap((statement) => {
    const isExported =
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
    if (!isExported) return []
    if (ts.isVariableStatement(statement))
      return statement.declarationList.declarations.map((one) => ({
        name: one.name.getText(),
        isFunction:
          one.initializer !== undefined &&
          (ts.isArrowFunction(one.initializer) || ts.isFunctionExpression(one.initializer)),
        line: at(one),
      }))
    const { name } = /** @type {ts.DeclarationStatement} */ (statement)
    return name === undefined
      ? []
      : [{ name: name.getText(), isFunction: ts.isFunctionDeclaration(statement), line: at(statement) }]
  })
}
