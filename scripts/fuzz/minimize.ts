// A smaller request that fails in the same way, so that it can be read.
import { toFormBody, toJsonBody } from './bodies.ts'
import type { Recipe } from './requests.ts'

const ROUNDS_MAX = 120

/** @param fails whether a recipe fails as the given one does */
export async function minimize(recipe: Recipe, fails: (smaller: Recipe) => Promise<boolean>): Promise<Recipe> {
  let smallest = recipe
  let rounds = 0
  for (let isSmaller = true; isSmaller;) {
    isSmaller = false
    for (const candidate of listSmaller(smallest)) {
      if (++rounds > ROUNDS_MAX) return smallest
      if (!(await fails(candidate))) continue
      smallest = candidate
      isSmaller = true
      break
    }
  }
  return smallest
}

/** The recipe without one of its parts, for each of them */
function listSmaller(recipe: Recipe): Recipe[] {
  const { body, headers, parameters, operation } = recipe
  const withoutHeader = Object.keys(headers).map((name) => ({
    ...recipe,
    headers: Object.fromEntries(Object.entries(headers).filter(([other]) => other !== name)),
  }))
  const withoutParameter = parameters.flatMap((given, at) => {
    const isNeeded = 'parameter' in given && given.parameter.required === true
    return isNeeded ? [] : [{ ...recipe, parameters: parameters.filter((_, index) => index !== at) }]
  })
  const withoutBody =
    operation.bodies.length === 0 && body.bytes
      ? [{ ...recipe, body: { type: undefined, bytes: undefined, isBroken: false } }]
      : []
  const parts = body.parts ?? []
  const withoutPart = parts.map((_, at) => ({ ...recipe, body: toFormBody(parts.filter((__, index) => index !== at)) }))
  const withoutMember = smallerJson(body.json).map((json) => ({ ...recipe, body: toJsonBody(json) }))
  return [...withoutHeader, ...withoutParameter, ...withoutBody, ...withoutPart, ...withoutMember]
}

function smallerJson(json: unknown): unknown[] {
  if (typeof json !== 'object' || json === null) return []
  if (Array.isArray(json)) return json.length > 0 ? [[], json.slice(1)] : []
  const entries = Object.entries(json)
  return entries.map((_, at) => Object.fromEntries(entries.filter((__, index) => index !== at)))
}
