// Finds the SQL texts of the sources, and makes their modules record them.
import ts from 'typescript'

/** An SQL text, at a place such as `store/leases.ts:20` */
export type Site = Readonly<{ place: string; node: ts.Expression }>

const SQL = /^\W*(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|WITH)\s/

/** Returns the SQL texts of a source. */
export function sitesOf(path: string, source: ts.SourceFile): Site[] {
  const sites: Site[] = []
  const visit = (node: ts.Node): void => {
    if ((ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) && SQL.test(node.getText())) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart())
      sites.push({
        place: `${path}:${line + 1}`,
        node: ts.isTaggedTemplateExpression(node.parent) ? node.parent : node,
      })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return sites
}

/** Returns an SQL text without what it interpolates. */
export function fixedText(node: ts.Expression): string {
  const template = ts.isTaggedTemplateExpression(node) ? node.template : node
  if (!ts.isTemplateExpression(template)) return ts.isStringLiteralLike(template) ? template.text : ''
  return [template.head, ...template.templateSpans.map(({ literal }) => literal)].map(({ text }) => text).join(' ')
}

/**
 * Returns the code of a module that passes its SQL texts to `recordSql`. Those of functions are evaluated at its end as well,
 * if all that they contain are constants and values that they bind.
 */
export function recordingCode(source: ts.SourceFile, sites: readonly Site[]): string {
  const places = new Map<ts.Node, string>(sites.map(({ node, place }) => [node, place]))
  const record: ts.TransformerFactory<ts.SourceFile> = (context) => {
    const { factory } = context
    const visit = (node: ts.Node): ts.Node => {
      const visited = ts.visitEachChild(node, visit, context)
      const place = places.get(node)
      if (place === undefined) return visited
      const given = [factory.createStringLiteral(place), visited as ts.Expression] // a site is an expression
      return factory.createCallExpression(factory.createIdentifier('recordSql'), undefined, given)
    }
    return (file) => ts.visitEachChild(file, visit, context)
  }
  const [recorded = source] = ts.transform(source, [record]).transformed
  const ends = sites.flatMap(({ place, node }) => {
    const text = detached(node)
    return text === undefined ? [] : `try { recordSql('${place}', ${text}) } catch {}`
  })
  const code = `${ts.createPrinter().printFile(recorded)}\n${ends.join('\n')}`
  const options = { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext, verbatimModuleSyntax: true }
  return ts.transpileModule(code, { compilerOptions: options }).outputText
}

/** Returns the text of a function's SQL for the end of the module; undefined if it depends on arguments. */
function detached(site: ts.Node): string | undefined {
  if (!ts.findAncestor(site, ts.isFunctionLike)) return undefined
  const { text } = site.getSourceFile()
  const render = (node: ts.Node): string | undefined => {
    if (ts.isCallExpression(node) && node.expression.getText() === 'bind') return 'bindNext()'
    if (ts.isIdentifier(node) && !isMember(node)) {
      const local = localOf(node)
      const value = local?.initializer && render(local.initializer)
      return local ? value && `(${value})` : node.text
    }
    const children: ts.Node[] = []
    ts.forEachChild(node, (child) => void children.push(child))
    const rendered = children.map(render)
    if (rendered.includes(undefined)) return undefined
    const gaps = [node, ...children].map((each, at) => {
      const from = each === node ? node.getStart() : each.getEnd()
      return text.slice(from, children[at]?.getStart() ?? node.getEnd())
    })
    return gaps.map((gap, at) => gap + (rendered[at] ?? '')).join('')
  }
  return render(site)
}

function isMember(name: ts.Identifier): boolean {
  return ts.isPropertyAccessExpression(name.parent) && name.parent.name === name
}

/** Returns the parameter or the constant of a function that a name stands for. */
function localOf(name: ts.Identifier): { initializer?: ts.Expression } | undefined {
  let found: { initializer?: ts.Expression } | undefined
  for (let scope: ts.Node = name; !found && !ts.isSourceFile(scope); scope = scope.parent) {
    if (!ts.isFunctionLike(scope) && !ts.isBlock(scope)) continue
    const visit = (node: ts.Node): void => {
      const isLocal = ts.isParameter(node) || ts.isVariableDeclaration(node) || ts.isBindingElement(node)
      if (isLocal && node.name.getText() === name.text) found ??= node
      else if (!ts.isBlock(node) && !ts.isFunctionLike(node)) ts.forEachChild(node, visit)
    }
    ts.forEachChild(scope, visit)
  }
  return found
}
