// Looking through a PDF of 10 MB takes up to some seconds of CPU: it happens in a thread of its own.
import { readFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { pdfFault } from './active-content.ts'

parentPort?.postMessage(pdfFault(readFileSync(workerData as string)))
