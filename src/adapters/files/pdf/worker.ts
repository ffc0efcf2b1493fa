// Inspecting a PDF of 10 MB takes seconds of CPU time, so it runs in its own thread.
import { readFileSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import { findPdfFault } from './active-content.ts'

parentPort?.on('message', (path: string) => parentPort?.postMessage(findPdfFault(readFileSync(path))))
