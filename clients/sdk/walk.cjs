const { createTawthiq, isTawthiqError } = require('@tawthiq/sdk')
const { toForm } = require('@tawthiq/sdk/forms')

void import('./steps.mjs').then(({ walk }) => walk({ createTawthiq, isTawthiqError, toForm }, process.argv[2]))
