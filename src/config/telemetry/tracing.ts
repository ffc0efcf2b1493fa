import { httpUrl, oneOf, text, type About, type OptionalText, type Values } from '../variable-kinds.ts'

const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

/** Standard variables of OpenTelemetry. */
export const tracingVariables = {
  OTEL_SDK_DISABLED: oneOf(['true', 'false'], { about: '`true` turns tracing off.', shown: 'false' }),
  OTEL_TRACES_EXPORTER: oneOf(['otlp', 'none'], {
    about: '`otlp` turns tracing on, `none` turns it off.',
    shown: 'otlp if an endpoint is set, otherwise none',
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl({
    about: 'OTLP receiver. Spans are posted to /v1/traces below it. Turns tracing on.',
    shown: 'http://localhost:4318',
  }),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: httpUrl({
    about: 'OTLP receiver of spans, with its path. Turns tracing on.',
    shown: '/v1/traces below OTEL_EXPORTER_OTLP_ENDPOINT',
  }),
  OTEL_EXPORTER_OTLP_PROTOCOL: oneOf(['http/protobuf', 'http/json'], {
    about: 'Encoding of the spans.',
    default: 'http/protobuf',
  }),
  OTEL_EXPORTER_OTLP_HEADERS: pairs({ about: 'Headers of requests to the OTLP receiver.', isSecret: true }),
  OTEL_SERVICE_NAME: text({ about: 'Name of the service in traces.', default: 'tawthiq' }),
  OTEL_RESOURCE_ATTRIBUTES: pairs({ about: 'Attributes of all spans.' }),
  OTEL_TRACES_SAMPLER: oneOf(SAMPLERS, {
    about: 'Which traces are recorded. See [Sampling](monitoring.md#sampling).',
    default: 'parentbased_always_on',
  }),
  OTEL_TRACES_SAMPLER_ARG: text({
    about: 'Share of the traces that the traceidratio samplers record.',
    accepts: 'a number from 0 to 1',
    shown: '1',
    pattern: '^(0|1|0?\\.\\d+|1\\.0+|0\\.0+)$',
  }),
}

function pairs(about: About): OptionalText {
  return text({ accepts: 'name=value, or a list of these', pattern: '^[^=,]+=[^,]*(,[^=,]+=[^,]*)*$', ...about })
}

type Given = Values<typeof tracingVariables>

/** Returns whether there is tracing, by the rules of OpenTelemetry, except that it is off unless a variable turns it on. */
export function isTracing(given: Given): boolean {
  const endpoint = given.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? given.OTEL_EXPORTER_OTLP_ENDPOINT
  const { OTEL_TRACES_EXPORTER: exporter = endpoint === undefined ? 'none' : 'otlp' } = given
  return given.OTEL_SDK_DISABLED !== 'true' && exporter !== 'none'
}

export const tracingConfig = ({ OTEL_EXPORTER_OTLP_ENDPOINT: base = 'http://localhost:4318', ...given }: Given) =>
  ({
    /** URL that spans are posted to */
    url: given.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? `${base.replace(/\/+$/, '')}/v1/traces`,
    protocol: given.OTEL_EXPORTER_OTLP_PROTOCOL,
    headers: parsePairs(given.OTEL_EXPORTER_OTLP_HEADERS),
    serviceName: given.OTEL_SERVICE_NAME,
    attributes: parsePairs(given.OTEL_RESOURCE_ATTRIBUTES),
    sampler: given.OTEL_TRACES_SAMPLER,
    /** Share of the traces that the ratio samplers record */
    ratio: Number(given.OTEL_TRACES_SAMPLER_ARG ?? 1),
  }) as const

export type TracingConfig = ReturnType<typeof tracingConfig>

/** Parses `name=value,name=value`, where values are percent-encoded. */
function parsePairs(list = ''): Record<string, string> {
  const pairs = list.split(',').filter(Boolean)
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=')
      return [pair.slice(0, at).trim(), decode(pair.slice(at + 1).trim())]
    }),
  )
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
