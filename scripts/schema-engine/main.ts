// Replaces the native schema engine, which is not on npm. Accepts the arguments and the JSON-RPC of prisma 7.10, and
// runs the same engine compiled to WASM.
import enginesVersion from '@prisma/engines-version'
import { readArguments } from './arguments.ts'
import { runCommand } from './command.ts'
import { serve } from './rpc.ts'

const given = readArguments(process.argv.slice(2))
if (given.version) console.log(`schema-engine-wasm ${enginesVersion.enginesVersion}`)
else if (given.command) process.exitCode = await runCommand(given.command, given.url)
else serve(given)
