import { createTawthiq, isTawthiqError } from '@tawthiq/sdk'
import { toForm } from '@tawthiq/sdk/forms'
import { argv } from 'node:process'
import { walk } from './steps.mjs'

await walk({ createTawthiq, isTawthiqError, toForm }, argv[2])
