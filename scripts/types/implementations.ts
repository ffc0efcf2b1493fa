// Which functions implement the members of a type. A call through a type, such as `store.sessions.end(…)`, runs one of them.
import ts from 'typescript'

/** The values of a member, by its declaration in a type */
export type Implementations = Map<ts.Node, readonly ts.Node[]>

/** What these pass to functions is followed where it is written. Otherwise, each operation would run the functions of all. */
const CALLERS = /\/src\/(?:operations|services)\//

/** Finds the members of object literals. Those of an argument count only if no other literal has the member. */
export function findImplementations(files: readonly ts.SourceFile[], checker: ts.TypeChecker): Implementations {
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
    if (!own.has(member))
      own.set(
        member,
        values.filter((value) => !CALLERS.test(value.getSourceFile().fileName)),
      )
  }
  return own
}

type Found = Readonly<{ found: Implementations; checker: ts.TypeChecker }>

function addMembers(literal: ts.ObjectLiteralExpression, type: ts.Type, { found, checker }: Found): void {
  const add = (name: string, values: readonly ts.Node[]): void => {
    for (const member of declarationsOf(type, name, checker)) {
      found.set(member, [...(found.get(member) ?? []), ...values.filter((value) => value !== member)])
    }
  }
  for (const property of literal.properties) {
    if (ts.isSpreadAssignment(property)) {
      const members = checker.getTypeAtLocation(property.expression).getProperties()
      for (const each of members) add(each.name, each.declarations ?? [])
    } else if (!ts.isComputedPropertyName(property.name)) add(property.name.text, [property])
  }
}

function declarationsOf(type: ts.Type, name: string, checker: ts.TypeChecker): readonly ts.Node[] {
  const types = type.isUnion() ? type.types : [type]
  return types.flatMap((each) => checker.getPropertyOfType(each, name)?.declarations ?? [])
}

/** Returns whether a literal is part of an argument of a call. */
function isArgument(literal: ts.Node): boolean {
  for (let node = literal; !ts.isStatement(node) && !ts.isFunctionLike(node.parent); node = node.parent) {
    if (ts.isCallExpression(node.parent) && node.parent.expression !== node) return true
  }
  return false
}
