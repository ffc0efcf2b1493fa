import Bowser from 'bowser'

const LENGTH_MAX = 100

/** Returns the browser and the system that a `User-Agent` header names, for example `Chrome, Windows`. */
export function describeDevice(userAgent: string | null): string | null {
  if (userAgent === null || userAgent.trim() === '') return null
  const parser = Bowser.getParser(userAgent)
  const names = [parser.getBrowserName(), parser.getOSName()].filter(Boolean)
  const [product = ''] = userAgent.split('/') // clients other than browsers
  return (names.length > 0 ? names.join(', ') : product).slice(0, LENGTH_MAX)
}
