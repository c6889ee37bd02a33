import type { Conversion } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { nameConverted } from './converted-names.ts'

test.each<[string, Conversion, string]>([
  ['amount_cents', 'cents', 'amount'],
  ['amount_in_cents', 'cents', 'amount'],
  ['cents_charged', 'cents', 'charged'],
  ['total_cents_usd', 'cents', 'total_usd'],
  ['price_pence', 'cents', 'price'],
  ['fee_minor', 'cents', 'fee'],
  ['fee_minor_units', 'cents', 'fee'],
  // nothing else would be left, or nothing is false
  ['cents', 'cents', 'cents'],
  ['in_cents', 'cents', 'in_cents'],
  ['cents_2', 'cents', 'cents_2'],
  ['minor_repairs', 'cents', 'minor_repairs'],
  ['amount', 'cents', 'amount'],
  ['created_epoch', 'epoch_seconds', 'created_at'],
  ['created_ms', 'epoch_milliseconds', 'created_at'],
  ['created_at_ms', 'epoch_milliseconds', 'created_at'],
  ['created_at_epoch_ms', 'epoch_milliseconds', 'created_at'],
  ['updated_unix', 'epoch_seconds', 'updated_at'],
  ['unix_time', 'epoch_seconds', 'time'],
  ['login_seconds', 'epoch_seconds', 'login_at'],
  ['event_ts_us', 'epoch_microseconds', 'event_ts'],
  ['period_end_epoch', 'epoch_seconds', 'period_end'],
  ['date_created_ms', 'epoch_milliseconds', 'date_created'],
  // a country, and names without a unit
  ['entered_us', 'epoch_seconds', 'entered_us'],
  ['login', 'epoch_seconds', 'login'],
  ['ms', 'epoch_milliseconds', 'ms'],
  ['epoch_ms', 'epoch_milliseconds', 'epoch_ms'],
  // what stays a number keeps its unit
  ['duration_ms', 'decimal', 'duration_ms'],
  ['amount_cents', 'integer', 'amount_cents'],
])('%s as %s is %s', (name, conversion, staged) => {
  expect(nameConverted(name.split('_'), conversion).join('_')).toBe(staged)
})
