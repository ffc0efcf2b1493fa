type Attributes = Record<string, string | number | boolean | null | undefined | ((event: Event) => void)>
export type Child = Node | string | null

/** Creates an element. Functions become listeners; false, null and undefined leave an attribute out. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value)
    else if (value === true) element.setAttribute(name, '')
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, String(value))
  }
  element.append(...children.filter((child) => child !== null))
  return element
}

/** Draws the dark cells of a QR code, with the margin of four cells that readers need (ISO/IEC 18004). */
export function drawCells(cells: readonly (readonly boolean[])[]): SVGSVGElement {
  const path = cells.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  const draw = <Tag extends 'svg' | 'path'>(
    tag: Tag,
    attributes: Record<string, string>,
  ): SVGElementTagNameMap[Tag] => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', tag)
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
    return element
  }
  const svg = draw('svg', { viewBox: `-4 -4 ${cells.length + 8} ${cells.length + 8}` })
  svg.append(draw('path', { d: path }))
  return svg
}

/** Returns an element of the page, which index.html has. */
export function byId(id: string): HTMLElement {
  const element = document.getElementById(id)
  if (!element) throw new Error(`the page has no #${id}`)
  return element
}
