import type { Tracer } from '../../lib/tracing.ts'
import type { AttemptCounters } from '../limits/attempt-counters.ts'

/** Traces the commands of requests to Redis. Keys are left out. */
export function tracedCounters(counters: AttemptCounters, tracer: Tracer | undefined): AttemptCounters {
  if (!tracer) return counters
  const trace = <Result>(script: string, call: () => Promise<Result>): Promise<Result> => {
    const attributes = { 'db.system.name': 'redis', 'db.operation.name': 'EVALSHA', 'db.stored_procedure.name': script }
    return tracer.trace(`EVALSHA ${script}`, { attributes }, call)
  }
  return {
    begin: (...given) => trace('begin', () => counters.begin(...given)),
    end: (...given) => trace('end', () => counters.end(...given)),
    consume: (...given) => trace('consume', () => counters.consume(...given)),
    giveBack: (...given) => trace('giveBack', () => counters.giveBack(...given)),
    credit: (...given) => trace('credit', () => counters.credit(...given)),
  }
}
