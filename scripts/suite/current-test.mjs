// Replaces tap in test files that share a process: `t` is the test of the current file.
export * from 'tap'

let current

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
