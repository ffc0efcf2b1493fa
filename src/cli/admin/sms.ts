import type { SmsMessages } from '../../store/sms/index.ts'
import type { ConversionHour, PausedProvider } from '../../store/sms/rows.ts'

const HEAD = ['Hour (UTC)', 'Provider', 'Channel', 'Country', 'Sent', 'Delivered', 'Failed', 'Confirmed', 'Median']

/** Returns a table of the conversion of the last hours, and the providers that are paused. */
export async function showSms(hours: number, smsMessages: Pick<SmsMessages, 'hours' | 'paused'>): Promise<string> {
  const [rows, paused] = [await smsMessages.hours(hours), await smsMessages.paused()]
  const table = rows.length === 0 ? ['No SMS was recorded.'] : renderTable([HEAD, ...rows.map(toCells)])
  return [...table, ...paused.map(describePause)].join('\n')
}

function toCells({ hour, provider, channel, callingCode, medianSeconds, ...row }: ConversionHour): string[] {
  const share = (count: number): string => `${count} (${Math.round((100 * count) / row.sent)}%)`
  return [
    hour.toISOString().slice(0, 16).replace('T', ' '),
    provider,
    channel,
    `+${callingCode}`,
    String(row.sent),
    share(row.delivered),
    share(row.failed),
    share(row.confirmed),
    medianSeconds === null ? '-' : `${medianSeconds.toFixed(1)} s`,
  ]
}

function renderTable(rows: readonly (readonly string[])[]): string[] {
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

function describePause({ provider, channel, callingCode, retryAt, isOver }: PausedProvider): string {
  const until = isOver ? 'is tested again' : `is paused until ${retryAt.toISOString()}`
  return `${provider} ${until} for ${channel} to +${callingCode}.`
}
