// Stands in for the native schema engine, whose binary npm does not carry: the arguments and the JSON-RPC that
// prisma 7.10 speaks, answered by the same engine compiled to WASM.
import enginesVersion from '@prisma/engines-version'
import { readArguments } from './arguments.ts'
import { answerCommand } from './command.ts'
import { serve } from './rpc.ts'

const given = readArguments(process.argv.slice(2))
if (given.version) console.log(`schema-engine-wasm ${enginesVersion.enginesVersion}`)
else if (given.command) process.exitCode = await answerCommand(given.command, given.url)
else serve(given)
