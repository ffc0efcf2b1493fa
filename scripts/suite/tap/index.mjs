// Replaces tap in test files that share a process: `t` is the test of the current file. The build links this package into
// `dist/test/node_modules`, where the imports of compiled test files find it. A loader hook could do the same, but would
// send each import of the process through another thread.
import { createRequire } from 'node:module'

const requireFromTap = createRequire(import.meta.resolve('tap'))
const requireFromCore = createRequire(requireFromTap.resolve('@tapjs/core'))
const domains = requireFromCore('async-hook-domain')

// tap uses it to find the test of an error outside of any promise. It follows every promise and callback of the process,
// which takes a tenth of the suite's time. Here, such an error fails the current file.
domains.Domain = class {
  destroy() {
    // follows nothing
  }
}

const { Test, t: main } = requireFromTap('tap')
let current = main

export { Test }

export function setCurrentTest(test) {
  current = test
}

export default new Proxy(
  {},
  {
    get(_target, name) {
      const value = current[name]
      return typeof value === 'function' ? value.bind(current) : value
    },
    set(_target, name, value) {
      current[name] = value
      return true
    },
  },
)
