import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { repositoryPath } from '../paths.ts'
import type { Engine } from './engine.ts'
import { startSession } from './line-process.ts'

const folder = repositoryPath('.venvs/fakesnow')

/** An emulator on DuckDB: names match in any case there, zones of times are told by name only. */
export const snowflake: Engine = {
  name: 'Snowflake (emulated)',
  dialect: 'snowflake',
  missing: existsSync(`${folder}/done`) ? undefined : 'test/engines/install.sh installs it',
  hasCatalog: false,
  foldsNames: true,
  isSlow: true,
  takes: (name) => !/['\\\u200b]/.test(name), // which the emulator does not escape for itself
  types: [
    { type: 'VARCHAR', values: ["'plain'", "''", "' it''s  -- no #1 '"] },
    { type: 'VARCHAR(40)', values: ["'x  y'"] },
    { type: 'NUMBER(38,0)', values: ['999999999999999999', '-1'] },
    { type: 'NUMBER(38,9)', values: ['12345678901234567890123456789.123456789'] },
    { type: 'NUMBER(10,2)', values: ['99999999.99'] },
    { type: 'FLOAT', values: ['0.1', '1e300'] },
    { type: 'BOOLEAN', values: ['true', 'false'] },
    { type: 'DATE', values: ["'2024-02-29'"] },
    { type: 'TIME', values: ["'23:59:59'"] },
    { type: 'TIMESTAMP_NTZ', values: ["'2024-02-29 12:34:56.123456'"] },
    { type: 'TIMESTAMP_TZ', values: ["'2024-07-01 00:30:00.25 UTC'"] },
    { type: 'VARIANT', values: [`parse_json('{"a": [1, null, "x  y"]}')`] },
    { type: 'ARRAY', values: ['array_construct(1, 2)'] },
    { type: 'BINARY', values: ["to_binary('00FF', 'HEX')"] },
  ],
  open: async () => {
    const script = fileURLToPath(new URL('fakesnow_session.py', import.meta.url))
    const { runBeneath, ...session } = startSession(`${folder}/bin/python`, [script])
    // The database beneath takes backslashes as they are.
    return { ...session, insert: (statement) => runBeneath(statement.replaceAll('\\\\', '\\')) }
  },
}
