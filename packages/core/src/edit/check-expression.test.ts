import { DIALECTS } from '@stagecraft/dialects'
import type { ColumnConfig, ColumnEdit, ResultType } from '@stagecraft/spec'
import { describe, expect, test } from 'vitest'
import { checkConversion } from './check-conversion.ts'
import { judgeExpression } from './check-expression.ts'
import { loadExpressionGate } from './expression-gate.ts'
import { about, CUSTOMERS, ORDERS, subjectOf } from './testing/subject.ts'

const gate = await loadExpressionGate(DIALECTS.postgres)

function judge(ordinal: number, said: Partial<ColumnEdit>, config: ColumnConfig = {}) {
  const name = ORDERS.columns[ordinal - 1]?.name ?? ''
  const sources = { shop: { tables: { orders: { columns: { [name]: config } } } } }
  const subject = subjectOf([ORDERS, CUSTOMERS], { config: { sources } })
  const staged = subject.columns.find((column) => column.ordinal === ordinal)
  if (!staged) throw new Error('there is no such column')
  const edit = about(ordinal, said)
  return {
    expression: judgeExpression(edit, staged, { gate, subject }),
    operation: checkConversion(edit, staged, subject),
  }
}

test('the planned column takes the type of the result of its expression', () => {
  expect(judge(4, { expression: 'amount / 100.0', type: 'decimal' }).expression).toMatchObject({
    checked: { sql: 'amount / 100.0', family: 'decimal', dataType: 'numeric(38, 9)' },
    losses: [],
  })
})

describe('a column that may be lossy', () => {
  test.each<readonly [number, string, ResultType]>([
    [3, "'secret'", 'string'],
    [3, 'state', 'string'],
    [4, 'null', 'decimal'],
    [3, "note = 'yes'", 'boolean'],
  ])('column %i accepts %s, which is refused elsewhere', (ordinal, expression, type) => {
    const said = { expression, type }
    expect(judge(ordinal, said).expression).toMatchObject({ code: 'VALUES_LOST' })
    expect(judge(ordinal, said, { lossy: true }).expression).toMatchObject({ checked: { sql: expression } })
  })

  test('accepts a boolean from free text', () => {
    expect(judge(3, { operation: 'boolean' }).operation).toMatchObject({ code: 'ILLEGAL_OPERATION' })
    expect(judge(3, { operation: 'boolean' }, { lossy: true }).operation).toBeUndefined()
  })

  test.each([1, 2])('keeps its values even so if column %i is part of a key', (ordinal) => {
    const { expression, operation } = judge(
      ordinal,
      { expression: '1', type: 'integer', operation: 'text' },
      { lossy: true },
    )
    expect(expression).toMatchObject({ code: 'ILLEGAL_EXPRESSION' })
    expect(operation).toMatchObject({ code: 'ILLEGAL_OPERATION' })
  })

  test('refuses an expression that cannot be read', () => {
    expect(judge(3, { expression: 'note; drop table orders' }, { lossy: true }).expression).toMatchObject({
      code: 'ILLEGAL_EXPRESSION',
    })
  })
})
