import type { Dependencies } from './dependencies/index.ts'
import type { Instance } from './instances.ts'
import type { People } from './people.ts'

/** What a fault is observed in */
export type Setting = {
  dependencies: Dependencies
  instances: Instance[]
  people: People
  folder: string
  rate: number
}
