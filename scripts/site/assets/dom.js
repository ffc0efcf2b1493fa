export function create(tag, properties) {
  return Object.assign(document.createElement(tag), properties)
}

/** Reads from the storage of a window, such as `localStorage`. A browser that blocks it throws already at its name. */
export function read(storage, key) {
  try {
    return window[storage].getItem(key) ?? ''
  } catch {
    return ''
  }
}

export function store(storage, key, value) {
  try {
    window[storage].setItem(key, value)
  } catch {
    // the value is known on this page only
  }
}
