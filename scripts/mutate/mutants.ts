import ts from 'typescript'
import { changeSql } from './sql.ts'

/** One change of a compiled file. `line` starts at 1, `column` at 0. */
export type Mutant = Readonly<{
  id: string
  path: string
  line: number
  column: number
  /** The text that changes, and the new one */
  before: string
  after: string
  /** A part of the SQL text that the change is in, which identifies the statements that have it */
  sql?: string | undefined
}>

const OPPOSITES: Partial<Record<ts.SyntaxKind, string>> = {
  [ts.SyntaxKind.EqualsEqualsEqualsToken]: '!==',
  [ts.SyntaxKind.ExclamationEqualsEqualsToken]: '===',
  [ts.SyntaxKind.LessThanToken]: '<=',
  [ts.SyntaxKind.LessThanEqualsToken]: '<',
  [ts.SyntaxKind.GreaterThanToken]: '>=',
  [ts.SyntaxKind.GreaterThanEqualsToken]: '>',
  [ts.SyntaxKind.AmpersandAmpersandToken]: '||',
  [ts.SyntaxKind.BarBarToken]: '&&',
  [ts.SyntaxKind.MinusToken]: '+',
  [ts.SyntaxKind.AsteriskToken]: '/',
}

/** Replaces the node `target` by `text`. A change of a part of a long text is described by `before` and `after`. */
type Replacement = Readonly<{ target: ts.Node; text: string; before?: string; after?: string; sql?: string }>

/**
 * Lists the mutants of a compiled file, and returns the file with all of them: each is a conditional expression that
 * calls `isActive` of the module `switchUrl`, so that mutants are switched without loading the file again.
 */
export function instrument(path: string, source: string, switchUrl: string): { mutants: Mutant[]; text: string } {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS)
  const mutants: Mutant[] = []
  const byTarget = new Map<ts.Node, { id: string; text: string }[]>()
  const visit = (node: ts.Node): void => {
    for (const { target, text, before = target.getText(file), after = text, sql } of replacements(node)) {
      const { line, character: column } = file.getLineAndCharacterOfPosition(target.getStart(file))
      const id = `${path}:${mutants.length}`
      mutants.push({ id, path, line: line + 1, column, before, after, sql })
      byTarget.set(target, [...(byTarget.get(target) ?? []), { id, text }])
    }
    ts.forEachChild(node, visit)
  }
  const print = (node: ts.Node): string => {
    let [text, at] = ['', node.getStart(file)]
    ts.forEachChild(node, (child) => {
      text += source.slice(at, child.getStart(file)) + print(child)
      at = child.end
    })
    const original = text + source.slice(at, node.end)
    return (byTarget.get(node) ?? []).reduce(
      (rest, { id, text }) => `(isActive__(${JSON.stringify(id)}) ? ${text} : ${rest})`,
      original,
    )
  }
  visit(file)
  return { mutants, text: `import { isActive as isActive__ } from ${JSON.stringify(switchUrl)}; ${print(file)}` }
}

/** A condition is fixed, an operator is replaced by its opposite, a value is changed, or a call is left out. */
function replacements(node: ts.Node): Replacement[] {
  if (ts.isBinaryExpression(node)) {
    const opposite = OPPOSITES[node.operatorToken.kind]
    const [left, right] = [node.left.getText(), node.right.getText()]
    return opposite === undefined ? [] : [{ target: node, text: `${left} ${opposite} ${right}` }]
  }
  if (ts.isTemplateLiteral(node)) return sqlReplacements(node)
  if (ts.isIfStatement(node)) return ['true', 'false'].map((text) => ({ target: node.expression, text }))
  if (ts.isConditionalExpression(node)) {
    return [{ target: node.condition, text: `!(${node.condition.getText()})` }]
  }
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
    return [{ target: node, text: node.operand.getText() }]
  }
  if (ts.isNumericLiteral(node) && !isName(node)) return [{ target: node, text: `(${node.text} + 1)` }]
  if (node.kind === ts.SyntaxKind.TrueKeyword) return [{ target: node, text: 'false' }]
  if (node.kind === ts.SyntaxKind.FalseKeyword) return [{ target: node, text: 'true' }]
  return ts.isExpressionStatement(node) && isCall(node.expression) ? [{ target: node.expression, text: 'void 0' }] : []
}

/** Changes SQL, which is in templates. A tagged template is replaced with its tag. */
function sqlReplacements(node: ts.TemplateLiteral): Replacement[] {
  const target = ts.isTaggedTemplateExpression(node.parent) ? node.parent : node
  const [source, template] = [target.getText(), node.getText()]
  const start = source.length - template.length
  return changeSql(template).map(({ from, before, after }) => {
    const at = start + from
    const text = source.slice(0, at) + after + source.slice(at + before.length)
    return { target, before, after, text, sql: longestText(node) }
  })
}

function longestText(node: ts.TemplateLiteral): string {
  if (ts.isNoSubstitutionTemplateLiteral(node)) return node.text
  const texts = [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)]
  return texts.reduce((longest, each) => (each.length > longest.length ? each : longest))
}

function isName(node: ts.Node): boolean {
  return ts.isPropertyAssignment(node.parent) && node.parent.name === node
}

function isCall(expression: ts.Expression): boolean {
  return ts.isCallExpression(ts.isAwaitExpression(expression) ? expression.expression : expression)
}
