// Which failures a function can throw: those of the functions that it mentions, and of the functions that these mention.
// TypeScript has no types of exceptions, so this follows names, with the types of the members that they lead through.
import ts from 'typescript'
import type { Names } from './names.ts'

/** A `new Failure(…)`, and the mentions that lead to it */
export type Thrown = Readonly<{ at: ts.Node; trail: readonly ts.Node[] }>

export type Reach = Readonly<{
  /** The shortest way to each code */
  thrown: Map<string, Thrown>
  /** Members that are written as true or false, such as `isAtomic: false` */
  settings: Set<string>
  /** Codes that can be any */
  anyCode: Set<ts.Expression>
}>

/** Functions that run after the response, where their failures are logged */
const RUNS_LATER = 'enqueue'

/** Follows a function, or all of a file. */
export function follow(start: ts.Node, names: Names): Reach {
  const reach: Reach = { thrown: new Map(), settings: new Set(), anyCode: new Set() }
  const visited = new Set<ts.Node>()
  const queue: { node: ts.Node; trail: readonly ts.Node[] }[] = [{ node: start, trail: [] }]
  const walk = (node: ts.Node, trail: readonly ts.Node[]): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node)) return
    if (ts.isFunctionLike(node)) visited.add(node)
    collect(node, trail, { names, reach })
    for (const value of names.resolve(mentionedBy(node, names.checker), visited)) {
      if (!visited.has(value)) queue.push({ node: value, trail: [...trail, node] })
    }
    ts.forEachChild(ts.isCallExpression(node) && isLater(node) ? node.expression : node, (child) => walk(child, trail))
  }
  for (const { node, trail } of queue) {
    if (visited.has(node)) continue
    visited.add(node)
    walk(node, trail)
  }
  return reach
}

function collect(node: ts.Node, trail: readonly ts.Node[], { names, reach }: { names: Names; reach: Reach }): void {
  if (ts.isPropertyAssignment(node) && /^(?:true|false)$/.test(node.initializer.getText())) {
    reach.settings.add(node.getText())
  }
  if (!ts.isNewExpression(node) || node.expression.getText() !== 'Failure') return
  const [code] = node.arguments ?? []
  const codes = code ? literalsOf(code, names.checker) : []
  if (code && codes.length === 0) reach.anyCode.add(code)
  for (const each of codes) if (!reach.thrown.has(each)) reach.thrown.set(each, { at: node, trail })
}

/** More than any function chooses from */
const CODES_MAX = 10

/** Returns the values of an expression; none if it can be any code. */
function literalsOf(code: ts.Expression, checker: ts.TypeChecker): string[] {
  const type = checker.getTypeAtLocation(code)
  const types = type.isUnion() ? type.types : [type]
  return types.length > CODES_MAX ? [] : types.flatMap((each) => (each.isStringLiteral() ? each.value : []))
}

function isLater({ expression }: ts.CallExpression): boolean {
  return ts.isPropertyAccessExpression(expression) && expression.name.text === RUNS_LATER
}

/** Returns the symbol of a name that stands for a function or for a table of the module. */
function mentionedBy(node: ts.Node, checker: ts.TypeChecker): ts.Symbol | undefined {
  if (ts.isShorthandPropertyAssignment(node)) {
    return isCallable(node.name, checker) ? checker.getShorthandAssignmentValueSymbol(node) : undefined
  }
  const isKey = ts.isStringLiteral(node) && ts.isElementAccessExpression(node.parent)
  if (!isKey && !(ts.isIdentifier(node) && isExpression(node))) return undefined
  const symbol = checker.getSymbolAtLocation(node)
  return isKey || isCallable(node, checker) || isOfModule(symbol, checker) ? symbol : undefined
}

/** Returns whether a name is an expression, and neither that of a declaration nor a key. */
function isExpression(node: ts.Identifier): boolean {
  const { parent } = node
  if (ts.isShorthandPropertyAssignment(parent)) return false
  if (ts.isPropertyAssignment(parent) || ts.isVariableDeclaration(parent) || ts.isBindingElement(parent)) {
    return parent.initializer === node
  }
  return !ts.isFunctionLike(parent) && !ts.isParameter(parent) ? true : ts.isArrowFunction(parent)
}

function isCallable(node: ts.Node, checker: ts.TypeChecker): boolean {
  const type = checker.getNonNullableType(checker.getTypeAtLocation(node))
  return (type.isUnion() ? type.types : [type]).some((each) => each.getCallSignatures().length > 0)
}

function isOfModule(symbol: ts.Symbol | undefined, checker: ts.TypeChecker): boolean {
  const target = symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
  const [node] = target?.declarations ?? []
  return node !== undefined && ts.isVariableDeclaration(node) && ts.isSourceFile(node.parent.parent.parent)
}
