// Inspecting a PDF of 10 MB takes seconds of CPU time, so it runs in its own thread.
import { readFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { findPdfFault } from './active-content.ts'

parentPort?.postMessage(findPdfFault(readFileSync(workerData as string)))
