import type { GenerationRequest, Table } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { createEngine } from '../engine/engine.ts'
import { explain, generate } from '../generate.ts'
import { parseSourceName } from '../source-name.ts'

const request: GenerationRequest = { type: 'staging', source: 'raw.shop.orders' }
const table: Table = { columns: [{ name: 'id', type: 'int' }] }
const catalog = { tables: () => [], describe: () => table, close: () => undefined }

/** Calls as JavaScript makes them, and what the error names. */
const CALLS: readonly (readonly [names: string, call: (value: never) => unknown, value: unknown])[] = [
  [
    'dialect.identifiers: expected an object, got nothing',
    (context) => generate(request, table, context),
    { dialect: { name: 'x' } },
  ],
  ['dialect.title', (context) => explain(request, table, context), { dialect: {} }],
  [
    'dialect: expected an object, got null',
    (context) => generate(request, table, context),
    { dialect: null },
  ],
  ['the options: expected an object', (context) => generate(request, table, context), undefined],
  [
    'config: expected an object, got "x"',
    (context) => generate(request, table, context),
    { dialect: 'duckdb', config: 'x' },
  ],
  [
    'templates.render: expected a function',
    (context) => generate(request, table, context),
    { dialect: 'duckdb', templates: {} },
  ],
  ['catalog: expected an object with tables, describe, close', createEngine, { dialect: 'duckdb' }],
  ['catalog.describe: expected a function', createEngine, { catalog: { tables: () => [] } }],
  ['llm.backend: expected an object with complete', createEngine, { catalog, llm: {} }],
  ['ids.next: expected a function', createEngine, { catalog, ids: {} }],
  ['dialect.title', (text) => parseSourceName(text, {} as never), 'raw.orders'],
]

test.each(CALLS)('an object of the wrong form is one clear error: %s', (names, call, value) => {
  expect(() => call(value as never)).toThrow(
    expect.objectContaining({
      code: 'INVALID_REQUEST',
      message: expect.stringContaining(names) as string,
    }) as Error,
  )
})
