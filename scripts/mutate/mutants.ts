import ts from 'typescript'

/** One change of a compiled file: the characters from `from` to `to` are replaced. */
export type Mutant = Readonly<{ path: string; line: number; from: number; to: number; text: string; before: string }>

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

/** Lists the mutants of a compiled file, in the order of their places. */
export function listMutants(path: string, source: string): Mutant[] {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS)
  const mutants: Mutant[] = []
  const replace = (node: ts.Node, text: string): void => {
    const [from, to] = [node.getStart(file), node.end]
    const line = file.getLineAndCharacterOfPosition(from).line + 1
    mutants.push({ path, line, from, to, text, before: source.slice(from, to) })
  }
  const visit = (node: ts.Node): void => {
    mutate(node, replace)
    ts.forEachChild(node, visit)
  }
  visit(file)
  return mutants
}

/** A condition is fixed, an operator is replaced by its opposite, a value is changed, or a call is left out. */
function mutate(node: ts.Node, replace: (node: ts.Node, text: string) => void): void {
  if (ts.isBinaryExpression(node)) {
    const opposite = OPPOSITES[node.operatorToken.kind]
    if (opposite !== undefined) replace(node.operatorToken, opposite)
  } else if (ts.isIfStatement(node)) {
    replace(node.expression, 'true')
    replace(node.expression, 'false')
  } else if (ts.isConditionalExpression(node)) {
    replace(node.condition, `!(${node.condition.getText()})`)
  } else if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
    replace(node, node.operand.getText())
  } else if (ts.isNumericLiteral(node)) {
    replace(node, `(${node.text} + 1)`)
  } else if (node.kind === ts.SyntaxKind.TrueKeyword || node.kind === ts.SyntaxKind.FalseKeyword) {
    replace(node, node.kind === ts.SyntaxKind.TrueKeyword ? 'false' : 'true')
  } else if (ts.isExpressionStatement(node) && isCall(node.expression)) {
    replace(node.expression, 'void 0')
  }
}

function isCall(expression: ts.Expression): boolean {
  return ts.isCallExpression(ts.isAwaitExpression(expression) ? expression.expression : expression)
}
