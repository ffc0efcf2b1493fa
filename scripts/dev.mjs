// Runs the service and restarts it when a source changes.
import { spawn } from 'node:child_process'

const children = [
  'node_modules/typescript/bin/tsc --watch --preserveWatchOutput --noCheck',
  '--watch-path=dist/src --watch-path=generated --watch-preserve-output --enable-source-maps dist/src/main.js',
].map((command) => spawn(process.execPath, command.split(' '), { stdio: 'inherit' }))

for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => children.forEach((child) => child.kill(signal)))
for (const child of children) child.on('exit', () => children.forEach((other) => other.kill()))
