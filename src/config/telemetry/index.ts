import { number, oneOf, text, texts, type Values } from '../variable-kinds.ts'
import { isTracing, tracingConfig, tracingVariables } from './tracing.ts'

/** Variables of metrics and access lines. */
const operatorVariables = {
  MANAGEMENT_PORT: number(0, 65535, {
    about: 'Port of the management server, which serves /metrics. 0 selects a free port.',
    shown: 'none; no management server and no metrics',
  }),
  MANAGEMENT_HOST: text({
    about: 'Address of the management server. It has no authentication: do not make it public.',
    accepts: 'an IP address or a host name',
    default: '127.0.0.1',
  }),
  MANAGEMENT_NAMES: texts('^[\\w.-]{1,253}$', {
    about:
      'Public host names of the management server. IP addresses, MANAGEMENT_HOST, names without a dot, and names that end with .local, .internal, .svc or .localhost are always accepted; others get 421.',
    accepts: 'host names, separated by commas',
  }),
  ACCESS_LOG: oneOf(['yes', 'no'], {
    about: 'Whether a line is logged for each request.',
    shown: 'yes in production and with LOG_LEVEL=debug, otherwise no',
  }),
  ACCESS_LOG_CLIENT_ADDRESS: oneOf(['masked', 'full'], {
    about: 'Whether log lines have the network of a client, or its full IP address (personal data).',
    default: 'masked',
  }),
  BUILD_COMMIT: text({
    about: 'Commit of the build, for the metric tawthiq_build_info.',
    accepts: 'letters and digits',
    pattern: '^\\w{1,64}$',
  }),
}

export const telemetryVariables = { ...operatorVariables, ...tracingVariables }

type Given = Values<typeof telemetryVariables>

/** Returns a reason if the two servers would listen on the same port. The port 0 is any free one. */
export function portProblems({ PORT, MANAGEMENT_PORT }: Partial<Given & { PORT: number }>): string[] {
  if (MANAGEMENT_PORT === undefined || MANAGEMENT_PORT === 0 || PORT !== MANAGEMENT_PORT) return []
  return [`MANAGEMENT_PORT: ${MANAGEMENT_PORT} is also PORT. Set another port.`]
}

export const telemetryConfig = (given: Given & { NODE_ENV: string; LOG_LEVEL: string }) =>
  ({
    /** undefined: there is no management server, and no metrics are collected */
    management:
      given.MANAGEMENT_PORT === undefined
        ? undefined
        : { host: given.MANAGEMENT_HOST, port: given.MANAGEMENT_PORT, names: given.MANAGEMENT_NAMES ?? [] },
    hasAccessLog:
      given.ACCESS_LOG === undefined
        ? given.NODE_ENV === 'production' || ['debug', 'trace'].includes(given.LOG_LEVEL)
        : given.ACCESS_LOG === 'yes',
    showsClientAddress: given.ACCESS_LOG_CLIENT_ADDRESS === 'full',
    buildCommit: given.BUILD_COMMIT,
    /** undefined: there is no tracing */
    tracing: isTracing(given) ? tracingConfig(given) : undefined,
  }) as const
