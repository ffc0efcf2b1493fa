import ts from 'typescript'

type Visited = ReadonlySet<ts.Node>

export type Names = {
  checker: ts.TypeChecker
  /** Returns the functions and values that a name in an expression stands for, of the sources alone. */
  resolve(symbol: ts.Symbol | undefined, visited: Visited): readonly ts.Node[]
  /** Members of types that nothing implements, as far as `resolve` has met them */
  unimplemented: Set<ts.Node>
}

/** Resolves the names of the sources in a directory, with the help of the types. */
export function openNames(program: ts.Program, directory: string): Names {
  const checker = program.getTypeChecker()
  const files = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(`${directory}/`))
  const implementations = findImplementations(files, checker)
  const passedTo = passedArguments(files)
  const unimplemented = new Set<ts.Node>()

  const resolve = (symbol: ts.Symbol | undefined, visited: Visited, seen = new Set<ts.Node>()): ts.Node[] => {
    if (!symbol) return []
    const { declarations = [] } = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
    return declarations.flatMap((each) => valuesOf(each, visited, seen))
  }
  const valuesOf = (node: ts.Node, visited: Visited, seen: Set<ts.Node>): ts.Node[] => {
    if (seen.has(node) || !node.getSourceFile().fileName.startsWith(`${directory}/`)) return []
    seen.add(node)
    if (ts.isPropertySignature(node) || ts.isMethodSignature(node)) {
      if (!implementations.has(node)) unimplemented.add(node)
      return (implementations.get(node) ?? []).flatMap((each) => valuesOf(each, visited, seen))
    }
    if (ts.isShorthandPropertyAssignment(node))
      return resolve(checker.getShorthandAssignmentValueSymbol(node), visited, seen)
    if (ts.isBindingElement(node)) {
      const member = checker.getTypeAtLocation(node.parent).getProperty(nameOf(node))
      return [...initializerOf(node), ...passedTo(node, visited), ...resolve(member, visited, seen)]
    }
    if (ts.isParameter(node)) return passedTo(node, visited)
    if (ts.isPropertyAssignment(node) || ts.isVariableDeclaration(node)) return initializerOf(node)
    return ts.isClassDeclaration(node) || (ts.isFunctionLike(node) && 'body' in node && node.body) ? [node] : []
  }
  return { checker, resolve, unimplemented }
}

function initializerOf({ initializer }: { initializer?: ts.Expression }): ts.Node[] {
  return initializer ? [initializer] : []
}

function nameOf({ propertyName, name }: ts.BindingElement): string {
  return (propertyName ?? name).getText()
}

/**
 * Returns a function that finds what is passed to a parameter. That of a function which is followed itself is followed with
 * its caller, so this is about others, such as one that opens a part of the service.
 */
function passedArguments(files: readonly ts.SourceFile[]): (node: ts.Node, visited: Visited) => ts.Node[] {
  const calls = callsByName(files)
  return (node, visited) => {
    const parameter = ts.findAncestor(node, ts.isParameter)
    if (!parameter || visited.has(parameter.parent)) return []
    const at = parameter.parent.parameters.indexOf(parameter)
    return (calls.get(parameter.parent.name?.getText() ?? '') ?? []).flatMap(
      ({ arguments: given }): readonly ts.Node[] => {
        const value = given[at]
        if (!value || !ts.isBindingElement(node)) return value ? [value] : []
        const members = ts.isObjectLiteralExpression(value) ? [...value.properties] : []
        return members.filter(({ name }) => name?.getText() === nameOf(node))
      },
    )
  }
}

function callsByName(files: readonly ts.SourceFile[]): Map<string, ts.CallExpression[]> {
  const calls = new Map<string, ts.CallExpression[]>()
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const { expression } = node
      const name = ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText()
      calls.set(name, [...(calls.get(name) ?? []), node])
    }
    ts.forEachChild(node, visit)
  }
  for (const file of files) visit(file)
  return calls
}

/** The values of a member, by its declaration in a type */
type Implementations = Map<ts.Node, readonly ts.Node[]>

/** What these pass to functions is followed where it is written. Otherwise, each operation would run the functions of all. */
const CALLERS = /\/src\/(?:operations|services)\//

/** Finds the members of object literals. Those of an argument count only if no other literal has the member. */
function findImplementations(files: readonly ts.SourceFile[], checker: ts.TypeChecker): Implementations {
  const own: Implementations = new Map()
  const passed: Implementations = new Map()
  const visit = (node: ts.Node): void => {
    if (ts.isObjectLiteralExpression(node)) {
      const type = checker.getContextualType(node)
      if (type) addMembers(node, type, { found: isArgument(node) ? passed : own, checker })
    }
    ts.forEachChild(node, visit)
  }
  for (const file of files) visit(file)
  for (const [member, values] of passed) {
    const outside = values.filter((value) => !CALLERS.test(value.getSourceFile().fileName))
    if (!own.has(member)) own.set(member, outside)
  }
  return own
}

type Found = Readonly<{ found: Implementations; checker: ts.TypeChecker }>

function addMembers(literal: ts.ObjectLiteralExpression, type: ts.Type, { found, checker }: Found): void {
  const types = type.isUnion() ? type.types : [type]
  const add = (name: string, values: readonly ts.Node[]): void => {
    for (const member of types.flatMap((each) => checker.getPropertyOfType(each, name)?.declarations ?? []))
      found.set(member, [...(found.get(member) ?? []), ...values.filter((value) => value !== member)])
  }
  for (const property of literal.properties) {
    if (ts.isSpreadAssignment(property)) {
      const members = checker.getTypeAtLocation(property.expression).getProperties()
      for (const each of members) add(each.name, each.declarations ?? [])
    } else if (!ts.isComputedPropertyName(property.name)) add(property.name.text, [property])
  }
}

function isArgument(literal: ts.Node): boolean {
  for (let node = literal; !ts.isStatement(node) && !ts.isFunctionLike(node.parent); node = node.parent) {
    if (ts.isCallExpression(node.parent) && node.parent.expression !== node) return true
  }
  return false
}
