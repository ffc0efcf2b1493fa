import { listOperations, type Document } from './openapi.ts'

const NOTE = 'The guide Errors lists the errors that all operations share.'

/** Adds a note about shared errors to every description that ends with a table of the operation's own errors. */
export function noteSharedErrors(document: Document): void {
  for (const operation of listOperations(document)) {
    const { description = '' } = operation
    if (description.endsWith('|')) operation.description = `${description}\n\n${NOTE}`
  }
}
