// Checks types like `tsc --noEmit`, and which error codes each operation throws, with the same program. `npm run types`
import ts from 'typescript'
import { checkErrorCodes } from './types/error-codes.ts'

const HOST: ts.FormatDiagnosticsHost = {
  getCanonicalFileName: (name) => name,
  getCurrentDirectory: () => process.cwd(),
  getNewLine: () => '\n',
}

const source = ts.readJsonConfigFile('tsconfig.json', (path) => ts.sys.readFile(path))
const { fileNames, options, errors } = ts.parseJsonSourceFileConfigFileContent(source, ts.sys, '.', { noEmit: true })
const program = ts.createProgram(fileNames, options)
const found = [...errors, ...ts.getPreEmitDiagnostics(program), ...checkErrorCodes(program)]
if (found.length > 0) {
  const format = process.stdout.isTTY ? ts.formatDiagnosticsWithColorAndContext : ts.formatDiagnostics
  console.log(format(found, HOST))
  process.exitCode = 1
}
