/**
 * Whether other test files follow in this process. What is expensive to open stays open then. It would keep the process of
 * a file that runs alone alive.
 */
export const isSuite = process.env['PAIRS_DIR'] !== undefined
