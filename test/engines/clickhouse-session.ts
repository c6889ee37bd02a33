// Runs each line of the input, a JSON text, as a statement of an embedded ClickHouse; see line-process.ts.
// Usage: node clickhouse-session.ts <folder that chdb is installed in>
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'

interface ClickHouse {
  query(statement: string, format: string): string
  cleanup(): void
}

const require = createRequire(`${process.argv[2] ?? '.'}/package.json`)
const { Session } = require('chdb') as { readonly Session: new () => ClickHouse }
const session = new Session()

for (const setting of [
  "session_timezone = 'America/New_York'",
  'output_format_json_quote_64bit_integers = 1',
  'output_format_json_quote_decimals = 1',
  'output_format_json_quote_64bit_floats = 1',
])
  session.query(`set ${setting}`, 'Null')

interface Printed {
  readonly meta: readonly { readonly name: string }[]
  readonly data: readonly unknown[][]
}

function ask(statement: string): object {
  const text = session.query(statement, 'JSONCompact')
  if (text.trim() === '') return { columns: [], rows: [] }
  const { data, meta } = JSON.parse(text) as Printed
  return { columns: meta.map(({ name }) => name), rows: data.map((row) => row.map(printValue)) }
}

function printValue(value: unknown): string | null {
  if (value === null) return null
  return typeof value === 'string' ? value : JSON.stringify(value)
}

for await (const line of createInterface({ input: process.stdin })) {
  try {
    console.log(JSON.stringify(ask(JSON.parse(line) as string)))
  } catch (error) {
    console.log(JSON.stringify({ error: error instanceof Error ? error.message : String(error) }))
  }
}
session.cleanup()
