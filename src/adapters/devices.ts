import Bowser from 'bowser'

const LENGTH_MAX = 100

/** What a `User-Agent` calls its program and its system, for people to recognise: `Chrome, Windows`. */
export function deviceOf(userAgent: string | null): string | null {
  if (userAgent === null || userAgent.trim() === '') return null
  const parser = Bowser.getParser(userAgent)
  const names = [parser.getBrowserName(), parser.getOSName()].filter(Boolean)
  const [product = ''] = userAgent.split('/') // of a program that is no browser
  return (names.length > 0 ? names.join(', ') : product).slice(0, LENGTH_MAX)
}
